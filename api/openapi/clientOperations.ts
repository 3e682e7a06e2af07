// The operations of the API document as the clients see them. The printers of the clients, of the command line and of the samples
// in the reference read this.
import { clientNameOf } from './clientNames.ts'

/** A JSON schema, as far as the document uses it. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  description?: string
  deprecated?: boolean
  default?: unknown
  example?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }
type Response = { $ref?: string; content?: Record<string, { schema: Schema }> }
type DocumentOperation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, Response>
}
export type Document = {
  paths: Record<string, Record<string, DocumentOperation>>
  webhooks: Record<string, { post: DocumentOperation }>
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> }
}

/** The result of a call: a JSON value, a text such as HTML, a stream of events, where a redirect leads, or nothing. */
type Answer = 'json' | 'text' | 'stream' | 'redirect' | 'nothing'

export type Operation = {
  id: string
  group: string
  method: string
  http: string
  path: string
  tag: string
  summary: string
  description: string
  pathParams: Parameter[]
  query: Parameter[]
  body: Schema | undefined
  answer: Answer
  /** Of a JSON answer, without that of a dry run. */
  result: Schema | undefined
  contentType: string
  /** Takes an `Idempotency-Key`, and `dry_run`. */
  keyed: boolean
  ifMatch: boolean
  ifNoneMatch: boolean
  paging: 'offset' | 'cursor' | undefined
  access: string[]
}

export const clientOperations = (document: Document): Operation[] => {
  const taken = new Set<string>()
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([http, found]) => {
      const [group, method] = clientNameOf(found.operationId, found.tags[0]!, taken)
      taken.add(`${group}.${method}`)
      return operationOf(document, { http: http.toUpperCase(), path, group, method }, found)
    }),
  )
}

function operationOf(
  document: Document,
  named: Pick<Operation, 'http' | 'path' | 'group' | 'method'>,
  found: DocumentOperation,
): Operation {
  const parameters = found.parameters ?? []
  const has = (header: string) => parameters.some((one) => one.in === 'header' && one.name === header)
  const answer = answerOf(document, found)
  return {
    ...named,
    id: found.operationId,
    tag: found.tags[0]!,
    summary: found.summary,
    description: found.description,
    pathParams: parameters.filter((one) => one.in === 'path'),
    query: parameters.filter((one) => one.in === 'query'),
    body: found.requestBody?.content['application/json']?.schema,
    ...answer,
    keyed: has('Idempotency-Key'),
    ifMatch: has('If-Match'),
    ifNoneMatch: has('If-None-Match') && named.http !== 'DELETE',
    paging: pagingOf(answer.result),
    access: found.security.flatMap((one) => Object.keys(one)),
  }
}

/** The generated methods return the record of a request that happens. */
const isDryRun = ({ $ref }: Schema) => /\/(DryRun|ApprovalRequested)$/.test($ref ?? '')

/** An operation that answers JSON or HTML, by `Accept`, is asked for JSON. */
function answerOf(document: Document, { responses }: DocumentOperation) {
  const successes = Object.entries(responses)
    .filter(([status]) => status < '400' && status !== '304')
    .map(([, one]) => (one.$ref ? document.components.responses[one.$ref.split('/').at(-1)!]! : one))
  const contents = successes.flatMap(({ content }) => Object.entries(content ?? {}))
  const json = contents
    .filter(([type]) => type === 'application/json')
    .flatMap(([, { schema }]) => schema.anyOf ?? [schema])
    .filter((schema) => !isDryRun(schema))
  if (json.length > 0) {
    const distinct = [...new Map(json.map((schema) => [JSON.stringify(schema), schema])).values()]
    const result: Schema = distinct.length === 1 ? distinct[0]! : { anyOf: distinct }
    return { answer: 'json' as const, result, contentType: 'application/json' }
  }
  const text = contents.find(([type]) => type !== 'application/json')
  if (text) {
    const contentType = text[0].split(';')[0]!
    const answer = contentType === 'text/event-stream' ? ('stream' as const) : ('text' as const)
    return { answer, result: undefined, contentType }
  }
  const isRedirect = Object.keys(responses).some((status) => status === '302' || status === '303')
  return {
    answer: isRedirect ? ('redirect' as const) : ('nothing' as const),
    result: undefined,
    contentType: 'application/json',
  }
}

function pagingOf(result: Schema | undefined): Operation['paging'] {
  const properties = result?.properties
  if (!properties?.data) return undefined
  if (properties.total && properties.offset) return 'offset'
  return properties.pagination?.properties?.next_cursor ? 'cursor' : undefined
}
