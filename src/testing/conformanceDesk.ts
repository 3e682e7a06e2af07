// The tools, resources and prompts that the conformance suite calls by name, for what the product has none of its own of.
import { ParamsError, type Responder } from '../../api/mcp/protocol/server.ts'

type Fields = Record<string, unknown>

/** A PNG of one red pixel, and silence. */
const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const sound = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA='

const text = (content: string) => ({ type: 'text', text: content })
const picture = { type: 'image', data: image, mimeType: 'image/png' }
const embedded = (uri: string) => ({
  type: 'resource',
  resource: { uri, mimeType: 'text/plain', text: 'This is an embedded resource content.' },
})

const tools: Record<string, () => Fields> = {
  test_simple_text: () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [picture] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: sound, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({ content: [embedded('test://embedded-resource')] }),
  test_multiple_content_types: () => ({
    content: [text('Multiple content types test:'), picture, embedded('test://mixed-content-resource')],
  }),
  test_error_handling: () => ({
    isError: true,
    content: [text('This tool intentionally returns an error for testing')],
  }),
}

const resources: Record<string, Fields> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: image },
  'test://template/123/data': {
    mimeType: 'application/json',
    text: JSON.stringify({ id: '123', templateTest: true, data: 'Data for ID: 123' }),
  },
}

const message = (content: Fields) => ({ role: 'user', content })
const prompts: Record<string, (given: Fields) => Fields[]> = {
  test_simple_prompt: () => [message(text('This is a simple prompt for testing.'))],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    message(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    message(embedded(String(resourceUri))),
    message(text('Please process the embedded resource above.')),
  ],
  test_prompt_with_image: () => [message(picture), message(text('Please analyze the image above.'))],
}

function known<T>(table: Record<string, T>, name: unknown): T {
  const found = table[String(name)]
  if (found === undefined) throw new ParamsError(`Unknown: ${name}`, { uri: name })
  return found
}

const answers: Record<Parameters<Responder['answer']>[0], (params: Fields) => Fields> = {
  'tools/list': () => ({
    tools: Object.keys(tools).map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
  }),
  'tools/call': ({ name }) => known(tools, name)(),
  'resources/list': () => ({
    resources: Object.keys(resources)
      .filter((uri) => uri.startsWith('test://static'))
      .map((uri) => ({ uri, name: uri })),
  }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, ...known(resources, uri) }] }),
  'prompts/list': () => ({ prompts: Object.keys(prompts).map((name) => ({ name, description: name })) }),
  'prompts/get': ({ name, arguments: given = {} }) => ({ messages: known(prompts, name)(given as Fields) }),
  'completion/complete': () => ({ completion: { values: [] } }),
}

export const conformanceDesk: Responder = {
  answer: async (method, params) => answers[method](params),
  failed: (error) => {
    throw error
  },
}
