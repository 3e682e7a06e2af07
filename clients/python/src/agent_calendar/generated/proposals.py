# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..local_time import Moment
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from ..paging import Paged
from . import operations
from .schemas import CreateProposal, DryRun, FullProposal, Proposal, ProposalResponse, ResolvedSlot


class CreateProposalOptions(WriteOptions, total=False):
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`, and required then: the zone.
    tz: str


class ListProposalsOptions(ReadOptions, total=False):
    limit: int
    offset: int
    status: Literal["pending", "confirmed", "expired", "cancelled"]
    organizer_agent_id: str
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`, and required then: the zone.
    tz: str


class ListProposalsPage(TypedDict):
    data: list[Proposal]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class GetProposalOptions(ReadOptions, total=False):
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`, and required then: the zone.
    tz: str


class RespondToProposalBodyCounterSlotsItem(TypedDict):
    start_time: Moment
    end_time: Moment
    weight: NotRequired[float]
    calendar_id: NotRequired[str]


class RespondToProposalBody(TypedDict):
    agent_id: str
    response: Literal["accept", "decline", "counter"]
    selected_slot_id: NotRequired[str]
    #: Alternatives, for information only.
    counter_slots: NotRequired[Sequence[RespondToProposalBodyCounterSlotsItem]]
    message: NotRequired[str]


class RespondToProposalOptions(WriteOptions, total=False):
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`, and required then: the zone.
    tz: str


class ResolveProposalOptions(WriteOptions, total=False):
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`, and required then: the zone.
    tz: str


class ResolveProposalAnswer1(TypedDict):
    status: Literal["confirmed"]
    resolved_slot: ResolvedSlot


class ResolveProposalAnswer2(TypedDict):
    status: Literal["cancelled"]
    reason: Literal["all_declined"]


class CancelProposalOptions(WriteOptions, total=False):
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`, and required then: the zone.
    tz: str


class CancelProposalAnswer(TypedDict):
    status: Literal["cancelled"]


class ProposalsGroup(Group):
    @overload
    def create(self, body: CreateProposal, *, dry_run: Literal[True], **options: Unpack[CreateProposalOptions]) -> DryRun: ...

    @overload
    def create(self, body: CreateProposal, *, dry_run: Literal[False] = False, **options: Unpack[CreateProposalOptions]) -> Proposal: ...

    def create(self, body: CreateProposal, *, dry_run: bool = False, **options: Any) -> Any:
        """Propose times to several agents.

        The slots are not checked against any calendar: query `/v1/availability` first.

        The answer has no slots. Their ids, which participants select, are in `GET /v1/scheduling/proposals/{id}` and in the webhook event `proposal.created`.

        `weight` (0 to 10, default 1) is the initial score of a slot when the best one is chosen. Without `expires_at` the proposal does not expire.

        `POST /v1/scheduling/proposals`
        """
        return self._call(operations.create_proposal, {}, body, {**options, "dry_run": dry_run or None})

    def list(self, **options: Unpack[ListProposalsOptions]) -> Paged[Proposal, ListProposalsPage]:
        """List proposals.

        Newest first, without slots and responses. `organizer_agent_id` filters by organizer; an unknown agent is `not_found`.

        `GET /v1/scheduling/proposals`
        """
        return self._paged(operations.list_proposals, {}, options)

    def get(self, id: str, **options: Unpack[GetProposalOptions]) -> FullProposal:
        """Read a proposal with its slots and responses.

        `slots` have the ids that responses select, in the order of the request; `responses` are in the order of their arrival. `resolved_slot` and `created_event_id` are null until the proposal is confirmed; a null `expires_at` means that it does not expire.

        `GET /v1/scheduling/proposals/{id}`
        """
        return self._call(operations.get_proposal, {"id": id}, None, options)

    @overload
    def respond(self, id: str, body: RespondToProposalBody, *, dry_run: Literal[True], **options: Unpack[RespondToProposalOptions]) -> DryRun: ...

    @overload
    def respond(self, id: str, body: RespondToProposalBody, *, dry_run: Literal[False] = False, **options: Unpack[RespondToProposalOptions]) -> ProposalResponse: ...

    def respond(self, id: str, body: RespondToProposalBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Respond for a participant.

        Use the organization's key; `agent_id` names the participant. Each participant responds once and cannot change the response.

        `accept` needs a `selected_slot_id` from the proposal's slots. `counter` agrees to no particular slot; its `counter_slots` are for people to read.

        The last response resolves the proposal at once.

        `POST /v1/scheduling/proposals/{id}/respond`
        """
        return self._call(operations.respond_to_proposal, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def resolve(self, id: str, *, dry_run: Literal[True], **options: Unpack[ResolveProposalOptions]) -> DryRun: ...

    @overload
    def resolve(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[ResolveProposalOptions]) -> ResolveProposalAnswer1 | ResolveProposalAnswer2: ...

    def resolve(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Choose the best slot and create the event.

        Not every participant needs to have responded, but until one has accepted or countered it is `conflict`.

        A slot scores its `weight`, plus 1 for each response that accepts it, plus 0.3 for each counter (which counts for every slot). If scores are equal, the earliest start wins.

        The event is created on the slot's calendar, or else the proposal's, without a check for overlaps, and uses one of the month's events. If everybody has declined, the proposal is cancelled instead.

        `POST /v1/scheduling/proposals/{id}/resolve`
        """
        return self._call(operations.resolve_proposal, {"id": id}, None, {**options, "dry_run": dry_run or None})

    @overload
    def cancel(self, id: str, *, dry_run: Literal[True], **options: Unpack[CancelProposalOptions]) -> DryRun: ...

    @overload
    def cancel(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[CancelProposalOptions]) -> CancelProposalAnswer: ...

    def cancel(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Cancel a proposal.

        Irreversible, and only possible while the proposal is `pending` (otherwise `conflict`). Takes no body. Sends the webhook event `proposal.cancelled` with the reason `organizer_cancelled`.

        `POST /v1/scheduling/proposals/{id}/cancel`
        """
        return self._call(operations.cancel_proposal, {"id": id}, None, {**options, "dry_run": dry_run or None})
