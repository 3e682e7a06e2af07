// Prompts that a person picks in a host: each states the task, with the names of the ids, and the tools to call.
import { momentWords } from '../../../src/localtime/words.ts'
import { agentsOf, calendarsOf, type Key, type Named, zoneOfNamed } from '../language/names.ts'
import { toolNamed } from '../tools/toolTable.ts'
import { isUsable } from './selection.ts'

type Given = Partial<Record<string, string>>

type Argument = { name: string; description: string; required?: true }

type Prompt = {
  name: string
  title: string
  description: string
  arguments: readonly Argument[]
  /** A key that cannot use it does not see the prompt. */
  tool: string
  /** The task and the steps. Throws `WrongArgument`. */
  write(given: Given, names: Names): Promise<string[]>
}

/** The prompt has no such argument, needs one that is missing, or the key sees nothing with that id. */
export class WrongArgument extends Error {}

type Names = { calendar(id: string): Promise<string>; agents(list: string): Promise<string> }

const calendarId = { name: 'calendar_id', description: 'Calendar id.' }
const offerOthers =
  'If the answer is time_taken, show the conflicts and offer the suggestions; book another time only after a yes.'

const prompts: readonly Prompt[] = [
  {
    name: 'schedule_event',
    title: 'Schedule an event',
    description: 'Book a time, or offer others if it is taken.',
    arguments: [
      { name: 'title', description: 'The subject.', required: true },
      { name: 'start_time', description: 'Local time or with an offset.', required: true },
      { name: 'end_time', description: '30 minutes by default.' },
      calendarId,
    ],
    tool: 'create_event',
    async write({ title, start_time, end_time, calendar_id }, names) {
      const onCalendar = calendar_id ? ` on the calendar ${await names.calendar(calendar_id)}` : ''
      return [
        `Book ${JSON.stringify(title)} at ${start_time}${end_time ? ` until ${end_time}` : ''}${onCalendar}.`,
        calendar_id ? '' : 'Call list_calendars; if there are several, ask which one.',
        'Call create_event with these times and an idempotency_key.',
        offerOthers,
        'Show the `when` of the booked event.',
      ]
    },
  },
  {
    name: 'find_meeting_time',
    title: 'Find a time to meet',
    description: 'Find a time that suits several agents.',
    arguments: [
      { name: 'agent_ids', description: 'Agent ids, separated by commas.', required: true },
      { name: 'duration', description: 'Such as 30m or 1h.', required: true },
      { name: 'window', description: 'The possible times, in words.' },
    ],
    tool: 'find_meeting_time',
    write: async ({ agent_ids, duration, window }, names) => [
      `Find ${duration} for ${await names.agents(agent_ids!)}${window ? ` in this window: ${window}` : ''}.`,
      'Work out start and end of the window from now.',
      'Call find_meeting_time with these agents and this duration.',
      'Show up to five slots by their `when`. If there is none, say so and offer `next_free`.',
      'If availability_state is not complete, say that the answer may be wrong, and book nothing.',
    ],
  },
  {
    name: 'daily_agenda',
    title: 'Agenda of a day',
    description: 'The events of a day.',
    arguments: [
      { name: 'agent_id', description: 'Agent id; without it all calendars.' },
      { name: 'date', description: 'YYYY-MM-DD; without it today.' },
    ],
    tool: 'list_events',
    async write({ agent_id, date }, names) {
      const whose = agent_id ? ` of ${await names.agents(agent_id)}` : ''
      return [
        `Show the agenda${whose} for ${date ?? 'today'}.`,
        agent_id ? '' : 'Call list_calendars, then do the following for each calendar.',
        'Call list_events with that date as start and as end.',
        'List the events by their `when`, earliest first; name holds and tentative events as such, and gaps of an hour or more.',
      ]
    },
  },
  {
    name: 'new_scheduling_proposal',
    title: 'Propose times to several agents',
    description: 'Let several agents agree on a time.',
    arguments: [
      { name: 'title', description: 'The subject.', required: true },
      { name: 'organizer_agent_id', description: 'Agent id of the organizer.', required: true },
      { name: 'participant_agent_ids', description: 'Agent ids, separated by commas.', required: true },
    ],
    tool: 'create_proposal',
    write: async ({ title, organizer_agent_id, participant_agent_ids }, names) => [
      `Propose times for ${JSON.stringify(title)}: ${await names.agents(organizer_agent_id!)} organizes, ${await names.agents(participant_agent_ids!)} take part.`,
      'Call find_meeting_time with all of them and offer three slots; ask which to propose.',
      "Call list_calendars for the organizer's calendar.",
      'Call create_proposal with those slots and an idempotency_key (profile proposals).',
      'Show the slots by their `when` and say whose answers are awaited.',
    ],
  },
]

/** Those whose tool the key can use. */
export const listedPrompts = ({ actor }: Key) =>
  prompts.filter(({ tool }) => isKnown(tool, actor)).map(({ tool: _, write: __, ...shown }) => shown)

function isKnown(name: string, actor: Key['actor']): boolean {
  const tool = toolNamed(name)
  return tool !== undefined && isUsable(tool, actor)
}

/** One message of the user. Throws `WrongArgument`, also for a prompt that does not exist. */
export async function writePrompt(
  key: Key,
  name: string,
  given: Given,
): Promise<{ description: string; text: string }> {
  const prompt = prompts.find((one) => one.name === name)
  if (!prompt) throw new WrongArgument('Unknown prompt. prompts/list names all.')
  requireArguments(prompt, given)
  const input = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  const [what, ...steps] = await prompt.write(input, namesFor(key))
  const numbered = steps.filter(Boolean).map((step, nth) => `${nth + 1}. ${step}`)
  const zone = zoneOfNamed(await calendarsOf(key), input.calendar_id)
  const now = `Now: ${momentWords(key.app.clock.now().getTime(), zone)}.`
  return { description: prompt.description, text: [now, what, '', ...numbered].join('\n') }
}

function requireArguments(prompt: Prompt, given: Given): void {
  const known = prompt.arguments.map(({ name }) => name)
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new WrongArgument(`Unknown argument. ${prompt.name} takes ${known.join(', ')}.`)
  const missing = prompt.arguments.find(({ name, required }) => required && !given[name]?.trim())
  if (missing) throw new WrongArgument(`${missing.name}: is required`)
}

/** `Name (id)`, so that a person recognizes what the ids stand for. */
const namesFor = (key: Key): Names => ({
  calendar: async (id) => named(await calendarsOf(key), id, 'calendar_id: no such calendar'),
  async agents(list) {
    const all = await agentsOf(key)
    return list
      .split(',')
      .map((id) => named(all, id.trim(), `No agent ${JSON.stringify(id.trim().slice(0, 40))}`))
      .join(', ')
  },
})

function named(all: readonly Named[], id: string, refusal: string): string {
  const found = all.find((one) => one.id === id)
  if (!found) throw new WrongArgument(refusal)
  return `${JSON.stringify(found.name)} (${id})`
}
