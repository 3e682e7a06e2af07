// Times on several calendars that are held, confirmed and released together.
import { zoneOfCalendar } from '../../../src/calendars/calendars.ts'
import { groupListQuery } from '../../../src/holdGroups/schema.ts'
import { fieldsOf } from '../language/operationFields.ts'
import { bodyTimesRead } from '../language/operationTimes.ts'
import { shownRecord } from '../language/records.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { operationTool, type ToolCall } from '../language/tool.ts'
import { timezone } from './eventFields.ts'
import { changingTool, listingTool, readingTool } from './operationTools.ts'

type Json = Record<string, unknown>
type Requirement = { calendar_ids?: string[] }

const create = routeNamed('createHoldGroup')
const ofGroup = { id: 'hold_group_id', key: 'hold_group' }

/** The zones of the calendars that it names, each once. Those that do not exist are left to the twin. */
async function zonesOf({ app, actor }: Pick<ToolCall, 'app' | 'actor'>, requirements: readonly Requirement[]) {
  const ids = new Set(requirements.flatMap(({ calendar_ids = [] }) => calendar_ids))
  const zones = await Promise.all([...ids].map((id) => zoneOfCalendar(app, actor, id)))
  return [...new Set(zones.filter((zone) => zone !== undefined))]
}

const createHoldGroup = operationTool({
  name: 'create_hold_group',
  title: 'Hold times on several calendars',
  description: 'Each requirement gets `need` of its calendars, or nothing is held. Confirm with confirm_hold_group.',
  effect: 'creates',
  twins: [create],
  arguments: { ...fieldsOf(create, true), timezone },
  answer: { hold_group: 'object' },
  async context(call) {
    const { requirements } = call.arguments as { requirements: Requirement[] }
    return { zones: await zonesOf(call, requirements) }
  },
  input({ app, arguments: sent }, { zones }) {
    const { timezone: asked, ...body } = sent as Json & { timezone?: string }
    return bodyTimesRead(create, body, { requested: asked, ofCalendars: zones }, app.clock.now())
  },
  request: (body) => ({ body }),
  show: async ({ body, context: { zones }, call }) => {
    const { timezone: asked } = call.arguments as { timezone?: string }
    const zone = asked ?? (zones.length === 1 ? zones[0]! : 'UTC')
    return { hold_group: await shownRecord(body as Json, { zone, now: call.app.clock.now() }) }
  },
})

/** In the order in which they are listed. */
export const coordinationTools = [
  createHoldGroup,
  listingTool({
    name: 'list_hold_groups',
    title: 'List hold groups',
    description: 'Newest first.',
    twin: 'listHoldGroups',
    key: 'hold_groups',
    filters: { status: groupListQuery.shape.status },
  }),
  readingTool({
    ...ofGroup,
    name: 'get_hold_group',
    title: 'Read a hold group',
    description: 'With the holds of each requirement.',
    twin: 'getHoldGroup',
  }),
  changingTool({
    ...ofGroup,
    name: 'confirm_hold_group',
    title: 'Confirm a hold group',
    description: 'The needed members become events, other holds are released.',
    effect: 'idempotent',
    isBrief: true,
    twin: 'confirmHoldGroup',
  }),
  changingTool({
    ...ofGroup,
    name: 'release_hold_group',
    title: 'Release a hold group',
    description: 'Gives up all its holds: their times are free.',
    effect: 'changes',
    twin: 'releaseHoldGroup',
  }),
]
