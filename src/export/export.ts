// All data of an organization, as one JSON file that is streamed while it is read.
import { Readable } from 'node:stream'
import { accessOf, refusalOf } from '../accounts/callerAccess.ts'
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { recordFailure } from '../audit/failures.ts'
import { exportLimited } from '../errors.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import { nextPiece } from '../quotas/heavyReads.ts'
import { secondsToWait } from '../quotas/throttle.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import { type Pages, sections } from './sections.ts'

const limit = { name: 'export', max: 10, windowMs: 60 * 60 * 1000 }

type Export = { filename: string; body: Readable }

/** Throws `rate_limited`. A failure after that breaks the stream off. */
export async function openExport(app: App, actor: Actor): Promise<Export> {
  const { orgId, request } = actor
  const wait = await secondsToWait(app, limit, orgId)
  if (wait > 0) {
    recordFailure(app, { action: 'rate_limit.exceeded', status: 429, request, orgId })
    throw exportLimited(wait)
  }
  const id = encodeId('org', orgId)
  const now = app.clock.now()
  const org = presentOrganization(await requireOrganization(app, id))
  return {
    filename: `agent-calendar-${id}-${isoTime(now).slice(0, 10)}.json`,
    body: Readable.from(jsonOf(app, actor, org, now), { objectMode: false }),
  }
}

/** Lists that are left out while they are empty. */
const shownIfAny = new Set(['overrides', 'members', 'invitations', 'guardrails', 'approvals'])

async function* jsonOf(app: App, actor: Actor, org: unknown, now: Date): AsyncGenerator<string> {
  yield `{"exported_at":"${isoTime(now)}","format_version":"1","org":${JSON.stringify(org)}`
  for (const [name, pages] of sections(app, actor, now)) {
    const head = `,"${name}":[`
    if (!shownIfAny.has(name)) yield head
    let isFirst = true
    for await (const piece of piecesOf(app, actor, pages)) {
      if (!piece) continue
      if (isFirst && shownIfAny.has(name)) yield head
      yield (isFirst ? '' : ',') + piece
      isFirst = false
    }
    if (!isFirst || !shownIfAny.has(name)) yield ']'
  }
  yield '}\n'
}

/**
 * A page takes a place for heavy reads while it is read, but not while a slow client receives it. None is read for a session that has
 * ended meanwhile; one of a stopped organization may export, as it may begin to.
 */
async function* piecesOf(app: App, actor: Actor, pages: Pages): AsyncGenerator<string> {
  const iterator = pages[Symbol.asyncIterator]()
  const next = async () => {
    const { done, value } = await iterator.next()
    return done ? undefined : value.map((item) => JSON.stringify(item)).join(',')
  }
  for (;;) {
    const standing = await accessOf(app, [actor])
    const refused = standing(actor)
    if (refused && refused !== 'stopped') throw refusalOf(refused)
    const piece = await nextPiece(app, actor.orgId, next)
    if (piece === undefined) return
    yield piece
  }
}
