"""Hive's id of a query that a cursor of PyHive has run.

The Thrift client in PyHive is older than the call that asks for it.
"""

from typing import Any, Final

from thrift.protocol.TBase import TBase
from thrift.Thrift import TApplicationException, TException, TMessageType, TType

from pycompiler.hive.client.errors import HiveError

_CALL: Final = "GetQueryId"


def query_id(cursor: object) -> str:
    """The id of the last query of a cursor of PyHive, which must be open."""
    connection, handle = (getattr(cursor, name, None) for name in ("_connection", "_operationHandle"))
    if connection is None or handle is None:
        raise HiveError(
            "the id of a query can be had from a cursor of PyHive that has run one, until it is closed;"
            " otherwise SET hive.query.tag=NAME before the query, and give the tag"
        )
    try:
        return _asked(connection.client, handle)
    except TException as error:
        raise HiveError(f"HiveServer2 does not tell the id of the query: {error}") from error


class _Request(TBase):  # type: ignore[misc]
    thrift_spec = (None, (1, TType.STRUCT, "operationHandle", None, None))

    def __init__(self, handle: Any) -> None:
        self.operationHandle = handle


class _Arguments(TBase):  # type: ignore[misc]
    thrift_spec = (None, (1, TType.STRUCT, "req", None, None))

    def __init__(self, request: _Request) -> None:
        self.req = request


class _Response(TBase):  # type: ignore[misc]
    thrift_spec = (None, (1, TType.STRING, "queryId", "UTF8", None))

    def __init__(self) -> None:
        self.queryId: str | None = None


class _Result(TBase):  # type: ignore[misc]
    thrift_spec = ((0, TType.STRUCT, "success", (_Response, _Response.thrift_spec), None),)

    def __init__(self) -> None:
        self.success: _Response | None = None


def _asked(client: Any, handle: Any) -> str:
    """Calls the server as code that Thrift generates would."""
    sent, received = client._oprot, client._iprot
    sent.writeMessageBegin(_CALL, TMessageType.CALL, 0)
    _Arguments(_Request(handle)).write(sent)
    sent.writeMessageEnd()
    sent.trans.flush()
    _, kind, _ = received.readMessageBegin()
    answer = TApplicationException() if kind == TMessageType.EXCEPTION else _Result()
    answer.read(received)
    received.readMessageEnd()
    if isinstance(answer, TApplicationException):
        raise answer
    if answer.success is None or answer.success.queryId is None:
        raise TApplicationException(TApplicationException.MISSING_RESULT, "no result")
    return answer.success.queryId
