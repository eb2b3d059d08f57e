"""The one exception users see: a sentence that says what is wrong, where, and what to do.

>>> raise FlexuraError("The field w has no length; write fx.Field('w', length='L').")
"""


class FlexuraError(Exception):
    """Something in the model or the data is wrong; the message says what, in which part, and what to do."""
