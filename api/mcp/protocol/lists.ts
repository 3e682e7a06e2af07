// Requests of the protocol besides tools and resources: lists, prompts and completions. They cost no call.

import { isObject } from '../language/jsonSchema.ts'
import type { Key } from '../language/names.ts'
import { listedForApproval, listedTool, type Tool } from '../language/tool.ts'
import { completionsOf } from './completions.ts'
import { listedPrompts, WrongArgument, writePrompt } from './prompts.ts'
import { listResources, resourceTemplates } from './resources.ts'
import { isUsable } from './selection.ts'
import { ParamsError, type Responder } from './server.ts'

type Method = Exclude<Parameters<Responder['answer']>[0], 'tools/call' | 'resources/read'>
type Answers = Record<
  Method,
  (key: Key, params: Record<string, unknown>, selection: readonly Tool[]) => Promise<object>
>

const answers: Answers = {
  'tools/list': async ({ actor }, _params, selection) => ({
    tools: selection
      .filter((tool) => isUsable(tool, actor))
      .map(actor.guardrails?.approval ? listedForApproval : listedTool),
  }),
  'resources/list': async (key) => ({ resources: await listResources(key) }),
  'resources/templates/list': async () => ({ resourceTemplates }),
  'prompts/list': async (key) => ({ prompts: listedPrompts(key) }),
  async 'prompts/get'(key, { name, arguments: given = {} }) {
    try {
      const { description, text } = await writePrompt(key, String(name), given as Record<string, string>)
      return { description, messages: [{ role: 'user', content: { type: 'text', text } }] }
    } catch (error) {
      throw error instanceof WrongArgument ? new ParamsError(error.message) : error
    }
  },
  async 'completion/complete'(key, { argument, context }) {
    const { name, value } = isObject(argument) ? argument : {}
    const { arguments: chosen } = isObject(context) ? context : {}
    const { calendar_id } = isObject(chosen) ? chosen : {}
    const calendarId = typeof calendar_id === 'string' ? calendar_id : undefined
    const values = await completionsOf(key, { argument: String(name), typed: String(value), calendarId })
    return { completion: { values } }
  },
}

export const answerList = (
  key: Key,
  selection: readonly Tool[],
  method: Method,
  params: Record<string, unknown>,
): Promise<object> => answers[method](key, params, selection)
