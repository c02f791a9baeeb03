"""What all tests share."""

import signal

# A shell that starts the tests in the background has Ctrl-C ignored; some tests press it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
