"""The start of a command: Ctrl-C is one line from the first moment on."""

from support import run_python


def test_ctrl_c_while_the_command_line_is_imported_is_one_line():
    result = run_python(
        """if True:
        import sys
        from tamaya.cli import start

        class Interrupted:
            def find_spec(self, name, path, target=None):
                if name == "tamaya.cli.main":
                    raise KeyboardInterrupt

        sys.meta_path.insert(0, Interrupted())
        start.run()
        """
    )
    assert (result.stdout, result.stderr, result.returncode) == ("", "tamaya: stopped\n", 130)
