# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from ..paging import Paged
from . import operations
from .schemas import Agent, AgentSignUp, DryRun


class CreateAgentBody(TypedDict):
    name: str
    type: Literal["ai", "human", "resource"]
    description: NotRequired[str]
    #: Free key-value pairs, at most 16 KB of JSON.
    metadata: NotRequired[Mapping[str, Any]]


class ListAgentsOptions(ReadOptions, total=False):
    limit: int
    offset: int
    type: Literal["ai", "human", "resource"]
    status: Literal["active", "paused", "decommissioned"]
    #: A part of the name, in upper or lower case.
    query: str
    #: Only these, separated by commas, at most 100. Unknown ones are left out.
    ids: str | Sequence[str]


class ListAgentsPage(TypedDict):
    data: list[Agent]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class UpdateAgentBody(TypedDict):
    name: NotRequired[str]
    #: null clears
    description: NotRequired[str | None]
    #: Replaces the whole object.
    metadata: NotRequired[Mapping[str, Any]]
    status: NotRequired[Literal["active", "paused"]]


class UpdateAgentOptions(WriteOptions, total=False):
    #: The tag of the record as you saw it: with another one nothing is changed.
    if_match: str


class DecommissionAgentOptions(WriteOptions, total=False):
    #: The tag of the record as you saw it: with another one nothing is changed.
    if_match: str


class SignUpAgentBody(TypedDict):
    email: str
    agent_name: str
    tos_version: str


class VerifyAgentBody(TypedDict):
    otp: str


class VerifyAgentAnswer(TypedDict):
    verified: Literal[True]
    message: str


class AgentsGroup(Group):
    @overload
    def create(self, body: CreateAgentBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create(self, body: CreateAgentBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> Agent: ...

    def create(self, body: CreateAgentBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Register an agent.

        The agent starts as `active` and owns no calendar until you create one for it. Decommissioned agents do not count towards the limit of the plan.

        `POST /v1/agents`
        """
        return self._call(operations.create_agent, {}, body, {**options, "dry_run": dry_run or None})

    def list(self, **options: Unpack[ListAgentsOptions]) -> Paged[Agent, ListAgentsPage]:
        """List agents.

        Newest first. An agent key sees only its own agent. `total` counts all matches, not just this page.

        `GET /v1/agents`
        """
        return self._paged(operations.list_agents, {}, options)

    @overload
    def get(self, id: str, *, if_none_match: str, **options: Unpack[ReadOptions]) -> Agent | None: ...

    @overload
    def get(self, id: str, *, if_none_match: None = None, **options: Unpack[ReadOptions]) -> Agent: ...

    def get(self, id: str, *, if_none_match: str | None = None, **options: Any) -> Any:
        """Read an agent.

        A decommissioned agent can still be read. An agent key reads only its own agent; any other is `forbidden`.

        `GET /v1/agents/{id}`
        """
        return self._call(operations.get_agent, {"id": id}, None, {**options, "if_none_match": if_none_match})

    @overload
    def update(self, id: str, body: UpdateAgentBody, *, dry_run: Literal[True], **options: Unpack[UpdateAgentOptions]) -> DryRun: ...

    @overload
    def update(self, id: str, body: UpdateAgentBody, *, dry_run: Literal[False] = False, **options: Unpack[UpdateAgentOptions]) -> Agent: ...

    def update(self, id: str, body: UpdateAgentBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Change an agent.

        Fields that are left out stay; `metadata` is replaced as a whole. `paused` refuses writes with the agent's own keys and blocks nothing else. A decommissioned agent cannot be changed (`conflict`).

        `PATCH /v1/agents/{id}`
        """
        return self._call(operations.update_agent, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def decommission(self, id: str, *, dry_run: Literal[True], **options: Unpack[DecommissionAgentOptions]) -> DryRun: ...

    @overload
    def decommission(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[DecommissionAgentOptions]) -> None: ...

    def decommission(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Decommission an agent.

        Irreversible. The agent, its calendars and its events stay readable. Its keys stop working at once, its iCal subscriptions pause, and nothing more can be written for it. No webhook event is sent.

        `DELETE /v1/agents/{id}`
        """
        return self._call(operations.decommission_agent, {"id": id}, None, {**options, "dry_run": dry_run or None})

    def sign_up(self, body: SignUpAgentBody, **options: Unpack[ReadOptions]) -> AgentSignUp:
        """Sign up as an agent.

        Creates an organization with one agent and a key in the sandbox (10 events a month, one calendar), and mails a code that lifts its limits. For an address that is already known, the answer has only `message`; if it was never verified, a fresh code is mailed.

        `POST /v1/agent/sign-up`
        """
        return self._call(operations.sign_up_agent, {}, body, options)

    @overload
    def verify(self, body: VerifyAgentBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def verify(self, body: VerifyAgentBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> VerifyAgentAnswer: ...

    def verify(self, body: VerifyAgentBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Lift the limits of the sandbox.

        Use the key of the sign-up, which stays the same. A code works for 10 minutes and 10 attempts; the answer does not say why a code is wrong. Signing up again with the same address mails a fresh code.

        `POST /v1/agent/verify`
        """
        return self._call(operations.verify_agent, {}, body, {**options, "dry_run": dry_run or None})
