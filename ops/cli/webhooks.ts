// Commands about the webhooks of an organization.

import { inPlainWords } from '../../src/shapes/wording.ts'
import { startReplay } from '../../src/webhooks/replay.ts'
import { replayBody } from '../../src/webhooks/schema.ts'
import { listWebhooks, updateWebhook } from '../../src/webhooks/subscriptions.ts'
import { type Command, type Given, refusalOf, requireWord, type Tools, UsageError } from './command.ts'
import { ownerOf } from './owner.ts'
import { record, table } from './text.ts'

const words = '<org_…> <whk_…>'
const mostListed = 200

const wordsOf = (given: Given) => ({
  organization: requireWord(given, 0, 'organization'),
  webhook: requireWord(given, 1, 'webhook'),
})

async function setActive(tools: Tools, given: Given, command: string, active: boolean) {
  const { organization, webhook } = wordsOf(given)
  const owner = await ownerOf(tools, command, organization)
  const shown = await updateWebhook(tools.app, owner, webhook, { active })
  return { json: shown, text: record(shown) }
}

export const webhookCommands: readonly Command[] = [
  {
    name: 'webhooks list',
    words: '<org_…>',
    what: 'Lists the webhooks of an organization, the newest first.',
    async run(tools, given) {
      const owner = await ownerOf(tools, 'webhooks list', requireWord(given, 0, 'organization'))
      const list = await listWebhooks(tools.app, owner, { limit: mostListed, offset: 0 })
      const rows = list.data.map(({ id, active, consecutiveFailures, firstFailureAt, url }) => [
        id,
        active ? 'active' : 'off',
        consecutiveFailures,
        firstFailureAt,
        url,
      ])
      const titles = ['id', 'state', 'failures in a row', 'since', 'address']
      return { json: list, text: `${table(titles, rows)}\n${list.total} in all` }
    },
  },
  {
    name: 'webhooks off',
    words,
    what: 'Switches a webhook off. Its due deliveries wait until it is switched on again.',
    needsRedis: true,
    run: (tools, given) => setActive(tools, given, 'webhooks off', false),
  },
  {
    name: 'webhooks on',
    words,
    what: 'Switches a webhook on, clears its failures, and sends its waiting deliveries.',
    needsRedis: true,
    run: (tools, given) => setActive(tools, given, 'webhooks on', true),
  },
  {
    name: 'webhooks replay',
    words,
    what: 'Sends the deliveries of a webhook again, from a time on. By default those that failed.',
    more: 'For a receiver that was broken for hours. Each delivery keeps its id, by which the receiver recognises it.',
    needsRedis: true,
    options: {
      from: { what: 'the first moment, as 2026-12-01T08:00:00Z', takes: 'time' },
      to: { what: 'the last moment (now)', takes: 'time' },
      only: { what: 'failed, undelivered or all (failed)', takes: 'which' },
    },
    async run(tools, given) {
      const { organization, webhook } = wordsOf(given)
      const { from, to, only } = given.options
      if (from === undefined) throw new UsageError('--from is required')
      const body = replayBody.safeParse({ from, to, only }, { error: inPlainWords })
      if (!body.success) throw new UsageError(`--${refusalOf(body.error)}`)
      const owner = await ownerOf(tools, 'webhooks replay', organization)
      const replay = await startReplay(tools.app, owner, webhook, body.data)
      return { json: replay, text: record(replay) }
    },
  },
]
