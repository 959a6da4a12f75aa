"""Signals are held back inside a block, and answered as before after it."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from tamaya.learn.signals import Signals


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_calls_a_function_instead(number):
    before, calls = signal.getsignal(number), []
    with Signals(lambda: calls.append(number)) as signals:
        assert not signals.were_received
        os.kill(os.getpid(), number)
        assert signals.were_received
    assert calls == [number]
    assert signal.getsignal(number) is before


def test_other_threads_leave_signals_to_the_main_one():
    def enter() -> bool:
        with Signals(lambda: None) as signals:
            return bool(signals.before)

    with ThreadPoolExecutor(1) as pool:
        assert not pool.submit(enter).result()


def test_a_second_ctrl_c_waits_for_nobody():
    with pytest.raises(KeyboardInterrupt), Signals(lambda: None):
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGINT)
