"""How files are read and written: whole before they take their place, and with the line of what is wrong."""
