// The operations of the OpenAPI document, as the site needs them.

type Example = { summary?: string; value?: unknown }
export type Parameter = {
  name: string
  in: string
  required?: boolean
  schema?: { example?: unknown; examples?: unknown[] }
}
type Media = { schema?: { $ref?: string; example?: unknown; examples?: unknown[] }; examples?: Record<string, Example> }
type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  'x-codeSamples'?: { lang: string; label: string; source: string }[]
}
export type ApiDocument = {
  info: { description: string }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: {
    schemas: Record<string, { example?: unknown; examples?: unknown[] }>
    securitySchemes: Record<string, unknown>
  }
}

export type Listed = {
  method: string
  path: string
  operationId: string
  summary: string
  description: string
  tag: string
  /** Where the reference shows it. */
  anchor: string
}

const slugOf = (tag: string) => tag.toLowerCase().replace(/\s+/g, '-')

export const operationsOf = ({ paths }: ApiDocument): Listed[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, summary, description = '', tags }]) => ({
      ...{ method: method.toUpperCase(), path, operationId, summary, description, tag: tags[0]! },
      anchor: `#tag/${slugOf(tags[0]!)}/${method.toUpperCase()}${path}`,
    })),
  )

/** A body that works: the first example of the operation, or that of its schema. */
export function exampleBody({ requestBody }: Operation, { components }: ApiDocument): unknown {
  const media = requestBody?.content['application/json']
  if (!media) return undefined
  const [first] = Object.values(media.examples ?? {})
  if (first) return first.value
  const name = media.schema?.$ref?.replace('#/components/schemas/', '')
  const schema = name ? components.schemas[name] : media.schema
  return schema?.example ?? schema?.examples?.[0] ?? {}
}
