"""Several batches through one model at once, each on a thread of its own.

Splitting every matrix over the cores makes them wait for each other many times per batch; a whole batch per core does
not. Measured on two cores with MiniLM: 10 to 20 % more texts per second, on short and on mixed texts.
"""

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import TypeVar

Batch = TypeVar("Batch")
Answer = TypeVar("Answer")


def each_on_its_own_thread(work: Callable[[Batch], Answer], batches: Iterable[Batch]) -> Generator[Answer, None, None]:
    """What `work` makes of each batch, as it comes, with as many batches at once as PyTorch has threads.

    Close it (`contextlib.closing`) to stop early: it then waits for the batches already begun, and for no others.
    """
    import torch

    threads = torch.get_num_threads()
    remaining = iter(batches)
    begun: set[Future[Answer]] = set()
    try:
        with ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
            begun |= {pool.submit(work, batch) for batch in islice(remaining, threads)}
            while begun:
                done, begun = wait(begun, return_when=FIRST_COMPLETED)
                begun |= {pool.submit(work, batch) for batch in islice(remaining, len(done))}
                for future in done:
                    yield future.result()
    finally:
        torch.set_num_threads(threads)  # the pool's own setting reaches the matrix library of the whole process
