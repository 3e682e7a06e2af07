// `changes follow`: prints changes.
import type { FollowOptions } from '../../typescript/src/entry.ts'
import { cleanJson, cleanLine } from './clean.ts'
import { type Global, print, say } from './output.ts'
import { currentSession, openClient } from './session.ts'

type Given = Global & { cursor?: string; types?: string; calendarIds?: string; agentIds?: string; payload?: boolean }

export async function follow(given: Given, signal: AbortSignal): Promise<void> {
  const session = currentSession(given.url)
  if (!given.json) say(`Following ${session.url}. Ctrl-C ends it.`)
  for await (const step of openClient(session).changes.follow(followOptions(given, signal))) {
    if (given.json) print(cleanJson(step).replaceAll(/\n */g, ' '))
    else if (step.kind === 'resync')
      say('Older changes are no longer kept: read your lists again. Following continues from now.')
    else if (step.kind === 'changes') {
      for (const { at, type, resource, payload } of step.entries) {
        print(
          cleanLine(`${at}  ${type.padEnd(24)}  ${resource.id}${given.payload ? `  ${JSON.stringify(payload)}` : ''}`),
        )
      }
    }
  }
}

export function followOptions({ cursor, types, calendarIds, agentIds }: Given, signal: AbortSignal): FollowOptions {
  return {
    cursor,
    types,
    calendar_ids: calendarIds,
    agent_ids: agentIds,
    signal,
    onTrouble: (error, delayMs) => say(`${(error as Error).message} Trying again in ${Math.ceil(delayMs / 1000)} s.`),
  }
}
