import struct

from hypothesis import given
from hypothesis import strategies as st

from pycompiler.service.connection import FrameBuffer


@given(payloads=st.lists(st.binary(max_size=50), max_size=8), cut=st.integers(1, 20))
def test_frames_come_out_whole_however_the_stream_was_cut(payloads: list[bytes], cut: int) -> None:
    stream = b"".join(struct.pack("!i", len(payload)) + payload for payload in payloads)
    buffer = FrameBuffer(max_frame_bytes=50)
    received: list[bytes] = []
    for start in range(0, len(stream), cut):
        buffer.feed(stream[start : start + cut])
        received += iter(buffer.next_frame, None)
    assert received == payloads
    assert not buffer.partial, "nothing may be left of complete frames"


def test_half_a_length_is_a_partial_frame() -> None:
    buffer = FrameBuffer(max_frame_bytes=50)
    assert not buffer.partial
    buffer.feed(b"\0\0")
    assert buffer.next_frame() is None
    assert buffer.partial
