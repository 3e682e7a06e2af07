// Things that need a person's attention: they are read only where there can be something.
import type { ListedApiKey } from '../../../clients/typescript/src/entry.ts'
import { queryClient } from '../../service/queryClient.ts'
import { service } from '../../service/service.ts'
import { texts } from '../../texts.ts'
import { readChecklist } from './checklist.ts'
import { endsSoon, holdsOf } from './soon.ts'

/** `shown`: words for the state where the API has none. */
export type Attention = {
  to: string
  /** The kind of the thing, in a word. */
  kind: string
  label: string
  state: string
  shown?: string
  search?: Record<string, string>
}

type Read = { signal: AbortSignal }
const limit = 100

const readUsage = (options: Read) =>
  queryClient.fetchQuery({ queryKey: ['start', 'usage'], queryFn: () => service.usage.get(options) })

type Reads = readonly (false | Promise<readonly Attention[]>)[]
const foundBy = async (reads: Reads) => (await Promise.all(reads.filter((read) => read !== false))).flat()

/** Decisions and failures. The screen is drawn with these: a screen begins with six requests at most. */
export async function needsAttention(options: Read): Promise<readonly Attention[]> {
  const usage = await readUsage(options)
  return foundBy([
    usage.scoped_keys.used > 0 && approvals(options),
    usage.webhook_endpoints.used > 0 && webhooks(options),
    connections(options),
  ])
}

/** The rest, which comes after the screen was drawn. */
export async function alsoNeedsAttention(options: Read): Promise<readonly Attention[]> {
  const checklist = { queryKey: ['start', 'checklist'], queryFn: () => readChecklist(options) }
  const [usage, { key }] = await Promise.all([readUsage(options), queryClient.fetchQuery(checklist)])
  return foundBy([
    usage.holds.used > 0 && holds(options),
    usage.ical_subscriptions.used > 0 && feeds(options),
    key && organizationKeys(options),
    usage.scoped_keys.used > 0 && agentKeys(options),
  ])
}

async function approvals(options: Read): Promise<readonly Attention[]> {
  const { data } = await service.approvals.list({ ...options, status: 'pending', limit })
  return data.map(({ id, summary, status }) => ({
    to: `/approvals/${id}`,
    kind: texts.attentionKinds.approval,
    label: summary,
    state: status,
  }))
}

async function holds(options: Read): Promise<readonly Attention[]> {
  const now = new Date()
  const { data: calendars } = await service.calendars.list({ ...options, limit: 50, include: 'all' })
  if (calendars.length === 0) return []
  const { data } = await service.events.listOverlapping({
    ...options,
    calendar_ids: calendars.map(({ id }) => id),
    start: now.toISOString(),
    end: new Date(now.getTime() + windowMs).toISOString(),
    limit: 2_000,
  })
  return holdsOf(data).map((hold) => ({ ...hold, kind: texts.attentionKinds.hold }))
}

/** How far ahead holds are looked for. */
const windowMs = 60 * 86_400_000

async function webhooks(options: Read): Promise<readonly Attention[]> {
  const { data } = await service.webhooks.list({ ...options, limit })
  return data
    .filter(({ active, consecutiveFailures }) => !active || consecutiveFailures > 0)
    .map(({ id, url, active }) => ({
      to: `/webhooks/${id}`,
      kind: texts.attentionKinds.webhook,
      label: url,
      ...(active ? { state: 'failing' } : { state: 'disabled', shown: texts.off }),
    }))
}

async function feeds(options: Read): Promise<readonly Attention[]> {
  const { data } = await service.icalSubscriptions.listAll({ ...options, status: 'error', limit })
  return data.map(({ label, url, status }) => ({
    to: '/feeds',
    kind: texts.attentionKinds.feed,
    label: label || url,
    state: status,
  }))
}

async function connections(options: Read): Promise<readonly Attention[]> {
  const { data } = await service.connections.list({ ...options, limit })
  return data
    .filter(({ status, member_id }) => status === 'reauthorization_required' && !member_id)
    .map(({ id, account_label, provider, status }) => ({
      to: `/connections/${id}`,
      kind: texts.attentionKinds.connection,
      label: account_label ?? texts.providers[provider],
      state: status,
    }))
}

async function organizationKeys(options: Read): Promise<readonly Attention[]> {
  const { keys } = await service.organizationKey.list(options)
  return keys.filter(isEnding).map(({ key_prefix, name }) => endingKey(name ?? key_prefix))
}

async function agentKeys(options: Read): Promise<readonly Attention[]> {
  const { keys } = await service.keys.list({ ...options, include_use: true })
  return keys.filter(isEnding).map(({ key_prefix, label }) => endingKey(label ?? key_prefix))
}

/** A key that was replaced ends as it should. */
const isEnding = ({ expires_at, replaced_by }: Pick<ListedApiKey, 'expires_at' | 'replaced_by'>): boolean =>
  !replaced_by && endsSoon(expires_at, new Date())

const endingKey = (label: string): Attention => ({
  to: '/keys',
  kind: texts.attentionKinds.key,
  label,
  state: 'expired',
  shown: texts.endsSoon,
})
