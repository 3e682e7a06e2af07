// The exports of the package.
export { AgentCalendar, type AgentCalendarOptions } from './agentCalendar.ts'
export {
  ApiError,
  CalendarError,
  ConnectionError,
  TimeoutError,
  UnexpectedAnswerError,
} from './apiError.ts'
export { Call, PagedCall } from './call.ts'
export { ChangeFeed, type FeedStep, type FollowOptions } from './changeFeed.ts'
export { readEvents } from './eventStream.ts'
export * from './generated/errors.ts'
export { operations, webhookTypes } from './generated/operations.ts'
export type * from './generated/schemas.ts'
export { inZone, localTime, type Moment, readLocalTime, type WithLocal } from './localTime.ts'
export type { FullAnswer, OperationSpec, ReadOptions, Redirect, WriteOptions } from './operation.ts'
export { verifyWebhook, type WebhookDelivery, type WebhookEvent, WebhookVerificationError } from './webhook.ts'
