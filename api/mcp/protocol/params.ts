// The params of a method, as the protocol has them. They are checked here because the SDK answers with the text of its schemas.
import { z } from 'zod'

type Params = Record<string, unknown>

const named = z.looseObject({ name: z.string() })

/** For each method: its params, the sentence that describes them, and a valid example. */
type Form = { schema: z.ZodType; expected: string; taken: Params }

const list: Form = {
  // All lists are one page, so no cursor was ever issued.
  schema: z.looseObject({ cursor: z.literal('').optional() }),
  expected: 'Lists are one page: send no cursor.',
  taken: {},
}

const forms: Record<string, Form> = {
  'tools/list': list,
  'resources/list': list,
  'resources/templates/list': list,
  'prompts/list': list,
  'tools/call': {
    // Tasks are not supported: a call that asks for one is answered at once.
    schema: named.extend({ arguments: z.looseObject({}).optional(), task: z.looseObject({}).optional() }),
    expected: 'Send params with the name of a tool, and its arguments as an object; a task is an object, too.',
    taken: { name: 'none' },
  },
  'resources/read': {
    schema: z.looseObject({ uri: z.string() }),
    expected: 'Send params with the uri of a resource.',
    taken: { uri: 'none:' },
  },
  'prompts/get': {
    schema: named.extend({ arguments: z.record(z.string(), z.string()).optional() }),
    expected: 'Send params with the name of a prompt, and its arguments as an object of texts.',
    taken: { name: 'none' },
  },
  'completion/complete': {
    schema: z.looseObject({
      ref: z.union([
        z.looseObject({ type: z.literal('ref/prompt'), name: z.string() }),
        z.looseObject({ type: z.literal('ref/resource'), uri: z.string() }),
      ]),
      argument: z.looseObject({ name: z.string(), value: z.string() }),
      context: z.looseObject({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
    }),
    expected: 'Send params with ref, a prompt or a resource, and argument with its name and value.',
    taken: { ref: { type: 'ref/prompt', name: 'none' }, argument: { name: 'none', value: '' } },
  },
}

/** The fault in the params of a method, in one sentence, and params of the right form; undefined if they are valid. */
export function wrongParams(method: string, params: Params): { expected: string; taken: Params } | undefined {
  const form = Object.hasOwn(forms, method) ? forms[method] : undefined
  return form && !form.schema.safeParse(params).success ? form : undefined
}
