# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from . import operations
from .schemas import ApiKey, CreatedApiKey, DryRun


class CreateAgentKeyBody(TypedDict):
    agent_id: str
    label: NotRequired[str]


class ListAgentKeysAnswer(TypedDict):
    keys: list[ApiKey]


class CreateAgentKeyFromConsoleBody(TypedDict):
    agent_id: str
    label: NotRequired[str]


class KeysGroup(Group):
    @overload
    def create(self, body: CreateAgentKeyBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create(self, body: CreateAgentKeyBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> CreatedApiKey: ...

    def create(self, body: CreateAgentKeyBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Create a key for one agent.

        The whole secret appears only in this answer. The key reads and writes the agent's own calendars, events, availability and iCal subscriptions; what belongs to the organization is `forbidden` to it. An agent may have several keys.

        `POST /v1/keys`
        """
        return self._call(operations.create_agent_key, {}, body, {**options, "dry_run": dry_run or None})

    def list(self, **options: Unpack[ReadOptions]) -> ListAgentKeysAnswer:
        """List agent keys.

        All active keys of agents, newest first, in one answer without pages; the organization's own key is not listed. The audit log names a key by its `key_prefix`.

        `GET /v1/keys`
        """
        return self._call(operations.list_agent_keys, {}, None, options)

    @overload
    def revoke(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def revoke(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> None: ...

    def revoke(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Revoke an agent key.

        Every process refuses the key from the next request on.

        `DELETE /v1/keys/{id}`
        """
        return self._call(operations.revoke_agent_key, {"id": id}, None, {**options, "dry_run": dry_run or None})

    @overload
    def create_from_console(self, body: CreateAgentKeyFromConsoleBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create_from_console(self, body: CreateAgentKeyFromConsoleBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> CreatedApiKey: ...

    def create_from_console(self, body: CreateAgentKeyFromConsoleBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Create a key for one agent from the console.

        The same as `POST /v1/keys`, with a console session instead of the organization's key. The secret is shown only in this answer.

        `POST /v1/auth/keys/scoped`
        """
        return self._call(operations.create_agent_key_from_console, {}, body, {**options, "dry_run": dry_run or None})
