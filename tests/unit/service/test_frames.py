import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pycompiler.service.connection import FrameBuffer, FrameError


def frames_of(buffer: FrameBuffer) -> list[bytes]:
    return list(iter(buffer.next_frame, None))


@given(payloads=st.lists(st.binary(max_size=50), max_size=8), cut=st.integers(1, 20))
def test_frames_come_out_whole_however_the_stream_was_cut(payloads: list[bytes], cut: int) -> None:
    stream = b"".join(struct.pack("!i", len(payload)) + payload for payload in payloads)
    buffer = FrameBuffer(max_frame_bytes=50)
    received = []
    for start in range(0, len(stream), cut):
        buffer.feed(stream[start : start + cut])
        received += frames_of(buffer)
    assert received == payloads
    assert not buffer.partial, "nothing may be left of complete frames"


@pytest.mark.parametrize("length", [51, 2**31 - 1, -1, -(2**31)])
def test_a_length_out_of_bounds_is_refused_before_its_bytes_arrive(length: int) -> None:
    buffer = FrameBuffer(max_frame_bytes=50)
    buffer.feed(struct.pack("!i", length))
    with pytest.raises(FrameError, match="the limit is 50"):
        buffer.next_frame()


def test_half_a_length_is_a_partial_frame() -> None:
    buffer = FrameBuffer(max_frame_bytes=50)
    assert not buffer.partial
    buffer.feed(b"\0\0")
    assert buffer.next_frame() is None
    assert buffer.partial
