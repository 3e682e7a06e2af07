// The tools of an address: `?profile=`, `tools=` and `read_only=`. Those outside the selection do not exist there. `outside_text=` is for
// the answers of all.
import { type OutsideView, outsideViews } from '../../../src/actors/outsideText.ts'
import { isPaid, type PlanId } from '../../../src/plans/plans.ts'
import type { Tool } from '../language/tool.ts'
import { inMeetings } from '../tools/meetings.ts'
import { allTools, fullTools, profileNames, profiles } from '../tools/toolTable.ts'
import { malformed } from './refusal.ts'

const names = { profile: profileNames, tools: allTools.map(({ name }) => name) }
const known = ['profile', 'tools', 'read_only', 'outside_text']

/** In the order of the table. Throws 400 for an invalid parameter; the message does not repeat it. */
export function selectionOf(query: Record<string, unknown>): readonly Tool[] {
  if (Object.keys(query).some((name) => !known.includes(name))) {
    throw malformed(`Unknown query parameter. Known: ${known.join(', ')}. A key belongs in the Authorization header.`)
  }
  const chosen = namesIn(query, 'profile')
  const single = namesIn(query, 'tools')
  const isReadOnly = switchIn(query, 'read_only')
  const inProfiles = toolsOf(chosen ?? (single ? [] : ['scheduling']))
  const selected = allTools.filter(
    (tool) => (inProfiles.has(tool) || single?.includes(tool.name)) && (!isReadOnly || tool.effect === 'reads'),
  )
  return chosen?.includes('meetings') ? selected.map(inMeetings) : selected
}

/** How the address asks to be shown text from outside. Throws 400. */
export function outsideViewIn({ outside_text: value }: Record<string, unknown>): OutsideView | undefined {
  if (value === undefined) return undefined
  const view = outsideViews.find((one) => one === value)
  if (!view) throw malformed(`outside_text: expected ${outsideViews.join(', ')}.`)
  return view
}

function toolsOf(chosen: readonly string[]): Set<Tool> {
  const all: Record<string, readonly Tool[]> = { ...profiles, full: fullTools }
  return new Set(chosen.flatMap((name) => all[name] ?? []))
}

function namesIn(query: Record<string, unknown>, name: 'profile' | 'tools'): string[] | undefined {
  const value = query[name]
  if (value === undefined) return undefined
  const list = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : []
  if (list.length === 0 || list.some((item) => !names[name].includes(item))) {
    throw malformed(`${name}: expected names separated by commas, once. Known: ${names[name].join(', ')}.`)
  }
  return list
}

function switchIn(query: Record<string, unknown>, name: string): boolean {
  const value = query[name] ?? 'false'
  if (value !== 'true' && value !== 'false') throw malformed(`${name}: expected true or false.`)
  return value === 'true'
}

/** Whether the key can use a tool: the list leaves out the others, and the gate refuses calls to them. */
export function isUsable(
  { effect, twins: [twin], feature = twin.feature }: Tool,
  { plan, agentId, isReadOnly }: { plan: PlanId; agentId?: unknown; isReadOnly?: true },
): boolean {
  if (isReadOnly && effect !== 'reads') return false
  return !(agentId && twin.access === 'organization') && !(feature && !isPaid(plan))
}
