// What a tool answers, in the form of the protocol.

/** The result of `tools/call`. */
export type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
  _meta: Record<string, unknown>
}

export const requestIdMeta = (requestId: string) => ({ 'agent-calendar/request_id': requestId })

/** A success: the same twice, because some hosts show the text to the model and others the structure. */
export function successResult(answer: object, requestId: string): ToolResult {
  const text = JSON.stringify(answer)
  return { structuredContent: JSON.parse(text), content: [{ type: 'text', text }], _meta: requestIdMeta(requestId) }
}
