"""The typed client of agent-calendar."""

from .change_feed import Changes, FeedStep, Idle, Resync
from .client import AgentCalendar
from .errors import ApiError, CalendarError, ConnectionFailedError, TimedOutError, UnexpectedAnswerError
from .generated.errors import *  # noqa: F403
from .local_time import Moment, in_zone, local_time, read_time
from .operation import Answer, Redirect
from .paging import Paged
from .webhook import WebhookEvent, WebhookVerificationError, verify_webhook
