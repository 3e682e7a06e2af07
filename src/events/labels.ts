// Labels are sealed with the other details of an event. An event is found by a label through a digest of it under a key of its
// organization.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { type Digests, digestsFor, digestsOf, knownDigests } from '../connections/digests.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { WithLabelKeys } from './detailsSchema.ts'

const maxKnown = 10_000

/** An organization keeps its key, so it is read once. */
const openKnown = () => new Map<Uuid, Digests>()

function remember(app: App, orgId: Uuid, digests: Digests): Digests {
  const known = app.memory(openKnown)
  if (known.size >= maxKnown) known.clear()
  known.set(orgId, digests)
  return digests
}

async function digestsToWrite(app: App, actor: Actor): Promise<Digests> {
  const known = app.memory(openKnown).get(actor.orgId)
  if (known) return known
  const digests = await digestsFor(app, actor)
  return actor.request.dryRun ? digests : remember(app, actor.orgId, digests)
}

const keyOf = (digests: Digests, label: string): Buffer => Buffer.from(digests('label', label), 'hex')

/** The body with the keys of its labels, if it has any. */
export async function withLabelKeys<Body extends { labels?: readonly string[] | null | undefined }>(
  app: App,
  actor: Actor,
  body: Body,
): Promise<Body & WithLabelKeys> {
  const { labels } = body
  if (!labels || labels.length === 0) return body
  const digests = await digestsToWrite(app, actor)
  return { ...body, labelKeys: labels.map((label) => keyOf(digests, label)) }
}

/** Of labels that no request brought. */
export async function labelKeysOf(app: App, orgId: Uuid, labels: readonly string[]): Promise<Buffer[]> {
  const digests = app.memory(openKnown).get(orgId) ?? remember(app, orgId, await digestsOf(app, orgId))
  return labels.map((label) => keyOf(digests, label))
}

const nothing = Buffer.alloc(0)

/** The key of the events that have this label. An organization without a key of its own has no labels. */
export async function labelKey(app: App, orgId: Uuid, label: string): Promise<Buffer> {
  const known = app.memory(openKnown).get(orgId)
  if (known) return keyOf(known, label)
  const digests = await knownDigests(app, orgId)
  return digests ? keyOf(remember(app, orgId, digests), label) : nothing
}
