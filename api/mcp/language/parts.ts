// Tools that are run by their parts, and calls whose answer is not stored.
import { callOperation } from './callOperation.ts'
import type { AnyWriting, Tool, ToolCall, ToolOfParts } from './tool.ts'

/** The parts of a tool; an operation acts by asking its route. */
export function partsOf(tool: ToolOfParts): AnyWriting {
  if (tool.kind === 'write') return tool
  const { twins, request, ...parts } = tool
  const act: AnyWriting['act'] = async (call, input, context) => ({
    body: await callOperation(call, twins[0], await request(input, context, call)),
  })
  return { ...parts, act }
}

/** Acts, and shows nothing yet. */
export async function actBy(tool: ToolOfParts, call: ToolCall) {
  const { context: read, input, act, show } = partsOf(tool)
  const context = await read(call)
  const done = await act(call, input(call, context), context)
  return { show: () => show({ ...done, context, call }) }
}

/** The answer of a call that comes without a key. */
export async function answerOf(tool: Tool, call: ToolCall): Promise<object> {
  return tool.kind === 'read' ? tool.run(call) : (await actBy(tool, call)).show()
}
