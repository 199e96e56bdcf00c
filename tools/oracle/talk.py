"""How the oracle and its two sides talk: one message after the other over pipes, each with its length before it."""

from __future__ import annotations

import struct
from typing import Any, BinaryIO

import msgspec

_pack, _unpack = msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder().decode
_LENGTH = struct.Struct(">I")


def send(pipe: BinaryIO, message: Any) -> None:
    packed = _pack(message)
    pipe.write(_LENGTH.pack(len(packed)) + packed)
    pipe.flush()


def receive(pipe: BinaryIO) -> Any:
    """The next message; nothing when the other end has gone."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    return _unpack(pipe.read(_LENGTH.unpack(head)[0]))
