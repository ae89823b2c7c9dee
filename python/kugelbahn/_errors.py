"""What can go wrong."""


class InputError(ValueError, TypeError):
    """What was given can't be used. The message names place and rule; `key` the argument or key; `help` says what to do."""

    def __init__(self, message, key=None, help=None):
        super().__init__(message, key, help)
        self.key, self.help = key, help

    def __str__(self):
        message, _, help = self.args
        return message if help is None else f"{message}\nhelp: {help}"


class Stopped(RuntimeError):
    """The run could not go on. `run` is what there is of it, or None where there is none."""

    def __init__(self, message, run=None):
        super().__init__(message, run)
        self.run = run

    def __str__(self):
        return self.args[0]
