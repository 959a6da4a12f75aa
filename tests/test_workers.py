"""Daemon threads: order, exceptions, and an end that waits for nobody."""

import threading
from time import sleep

import pytest

from support import run_python
from tamaya import workers
from tamaya.workers import Workers, _Worker, in_order


def test_answers_come_in_order_from_several_threads():
    gates = [threading.Event() for _ in range(3)]

    def call(k):
        if k < 2:
            gates[k + 1].wait(10)  # until a later one has begun
        gates[k].set()
        return k, threading.current_thread()

    answers = list(in_order(call, range(3), 3))
    assert [k for k, _ in answers] == [0, 1, 2]
    assert len({thread for _, thread in answers}) == 3
    assert all(thread.daemon for _, thread in answers)


def test_no_items_need_no_threads():
    assert list(in_order(int, [], 4)) == []


def test_work_of_other_threads_stays_there():
    seen = []
    thread = threading.Thread(
        target=lambda: seen.extend(in_order(lambda _: threading.current_thread(), [0, 1], 1))
    )
    thread.start()
    thread.join()
    assert seen == [thread, thread]


def test_an_exception_comes_through_and_later_calls_do_not_begin():
    begun, seen = [], threading.Event()

    def call(k):
        begun.append(k)
        if k == 1:
            raise ValueError("one is bad")
        if k > 1:
            seen.wait(10)

    with pytest.raises(ValueError, match="one is bad"):
        list(in_order(call, range(100), 2))
    seen.set()
    end_workers()
    assert len(begun) <= 4


def test_an_interrupted_statement_waits_for_nobody():
    begun, never = threading.Event(), threading.Event()

    def call():
        begun.set()
        never.wait()

    with pytest.raises(KeyboardInterrupt), Workers(1) as workers:
        workers.submit(call)
        begun.wait(10)
        raise KeyboardInterrupt
    never.set()
    end_workers()


def end_workers() -> None:
    """Wait for the threads that exceptions have left behind."""
    for thread in threading.enumerate():
        while isinstance(thread, _Worker) and not thread.is_idle:
            sleep(0.01)


def test_threads_are_used_again():
    end_workers()
    first = list(in_order(lambda _: threading.current_thread(), [0, 1], 2))
    end_workers()
    again = list(in_order(lambda _: threading.current_thread(), [0, 1], 2))
    assert set(again) <= {thread for thread in threading.enumerate()}
    assert len(set(first) | set(again)) <= 2


def test_a_forked_process_has_threads_of_its_own():
    result = run_python(
        """if True:
        import os, time
        from tamaya import workers
        list(workers.in_order(int, [0, 1], 2))
        while len(workers._idle) < 2:
            time.sleep(0.01)
        process = os.fork()
        if process == 0:  # a thread that exists only in the parent would never answer
            os._exit(sum(workers.in_order(int, [3, 4], 2)))
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
        """
    )
    assert result.stdout == "7\n", result.stderr


def test_the_end_of_a_program_waits_for_no_worker():
    result = run_python(
        "from threading import Event\n"
        "from tamaya.workers import Workers\n"
        "Workers(2).submit(Event().wait)\n"
        "print('done')"
    )
    assert (result.stdout, result.returncode) == ("done\n", 0), result.stderr


def test_a_system_without_more_threads_works_with_those_it_has(monkeypatch):
    started = []

    def start_two():
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        worker = _Worker()
        worker.start()
        started.append(worker)
        return worker

    monkeypatch.setattr(workers, "_idle_worker", start_two)
    assert list(in_order(str, range(5), 4)) == list("01234")
    assert len(started) == 2


def test_nonsensical_numbers_of_threads_are_refused():
    with pytest.raises(ValueError, match=r"threads must be 0 to 1,024, not 99,999"):
        Workers(99_999)
