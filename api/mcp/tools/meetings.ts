// The arguments that the profile `meetings` adds to the tools selected with it: the fields that say where an event is, how to join it and how
// it is shown. Elsewhere these are unknown arguments.
import type { z } from 'zod'
import { type ChangedDetails, changedDetails, labelQuery, newDetails } from '../../../src/events/detailsSchema.ts'
import { withoutWords } from '../language/operationFields.ts'
import { type Tool, withArguments } from '../language/tool.ts'

const brief = (shape: Readonly<Record<string, z.ZodType>>): z.ZodRawShape =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, withoutWords(field)]))

const color = { color: newDetails.color.meta({ description: 'CSS name' }) }

const further: Readonly<Record<string, z.ZodRawShape>> = {
  create_event: { ...brief(newDetails), ...color },
  update_event: brief(changedDetails),
  list_events: { label: withoutWords(labelQuery) },
}

const known = new Map<Tool, Tool>()

/** A tool as it is beside the profile. */
export function inMeetings(tool: Tool): Tool {
  const more = further[tool.name]
  if (!more) return tool
  const extended = known.get(tool) ?? withArguments(tool, more)
  known.set(tool, extended)
  return extended
}

/** The fields of a call that has them. */
export function detailsIn<Given extends ChangedDetails>(input: Given): Pick<Given, keyof ChangedDetails> {
  const { location, conference, transparency, visibility, labels, color, links } = input
  return { location, conference, transparency, visibility, labels, color, links }
}
