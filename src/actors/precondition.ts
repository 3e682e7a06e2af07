// `If-Match`: a change that is made only while a record is as the caller saw it. The tag is compared with the record that was
// read, and the change itself matches only while that has not changed; a change that misses reads and compares again.
import { preconditionFailed } from '../errors.ts'
import { etagOf, isMet } from '../shapes/etag.ts'
import type { RequestContext } from './actor.ts'

type Asker = { request: RequestContext }

/** Throws `precondition_failed` if the caller saw another record. `record`: without any view. */
export function requireMatch({ request: { ifMatch } }: Asker, record: () => object): void {
  if (ifMatch === undefined) return
  const etag = etagOf(record())
  if (!isMet(ifMatch, etag)) throw preconditionFailed(etag)
}

/** The same where a record may be seen in several forms: the caller saw one of them. */
export function requireMatchOfOne(
  { request: { ifMatch } }: Asker,
  records: () => readonly [object, ...object[]],
): void {
  if (ifMatch === undefined) return
  const [first, ...others] = records().map(etagOf)
  if (![first!, ...others].some((etag) => isMet(ifMatch, etag))) throw preconditionFailed(first!)
}

/** Throws `precondition_failed` if the caller wants to make what there is already. */
export function requireNew({ request }: Asker, record: () => object): void {
  if (request.mustBeNew) throw preconditionFailed(etagOf(record()))
}

/** Whether the change must match only the record that was read. */
export const isConditional = ({ request }: Asker): boolean => request.ifMatch !== undefined

/** For a request that first settled an overdue part of the record: its tag now names the result. */
export function followTag({ request }: Asker, record: () => object): void {
  if (request.ifMatch !== undefined) request.ifMatch = etagOf(record())
}

/** When the record is changed. Where a tag was asked for, it is later than before, so that the tag changes in any case. */
export const changedAt = ({ request: { ifMatch } }: Asker, now: Date, before: Date): Date =>
  ifMatch !== undefined && now <= before ? new Date(before.getTime() + 1) : now
