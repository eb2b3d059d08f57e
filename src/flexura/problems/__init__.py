"""Classical problems of vibrations and dynamics, each a short file that solves itself and is held to a known value.

    $ flexura problems                     the list, chapter by chapter
    $ flexura problem den-hartog-absorber  statement, model, answer, check

A problem is a script as a user writes it, by `import flexura as fx`. Its docstring holds the title, the statement and
the source of the known value; the script leaves two dicts behind:

    answer  what the package finds, by name
    known   what it must be: a number or an array from a closed form in the file (met to `within`, 1e-9 of its size
            unless the file says otherwise), or text, a printed number (met to half a unit of its last digit)

A new problem is one file in its chapter and one line on the chapter's page, which also says the order.

Files:

    problem       Reading and running one problem, and its check
    shelf         What problems there are, by chapter and name
    discrete/     Rigid bodies, particles and springs
    continuous/   Strings, rods, shafts and beams, free
    forced/       Responses to harmonic, sudden, periodic and random loads
    approximate/  Rayleigh, Ritz, Dunkerley, finite elements, slopes and perturbations
    rotating/     Whirling shafts, spinning bodies, blades
    guided/       Constraints, contact, friction and control
    large/        Large deflections, buckling and flutter
"""

from flexura.problems.problem import Check, Problem, Solution
from flexura.problems.shelf import CHAPTERS, problem, problems

__all__ = ["CHAPTERS", "Check", "Problem", "Solution", "problem", "problems"]
