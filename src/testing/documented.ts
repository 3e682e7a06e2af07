// Every answer that a test receives is held against the API document: its status, its content type, its headers, its body.
// The document leaves records open, so that they may gain fields; here they are closed.
import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { openapiDocument } from '../../api/openapi/document.ts'
import { routes } from '../../api/routes.ts'
import type { Answer } from './answer.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into key by key
type Any = any

type Operation = { pattern: RegExp; methods: Any }

let opened: ReturnType<typeof openDocument> | undefined

function openDocument() {
  const document: Any = openapiDocument(routes, 'https://calendar.example.com')
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  const schemas = Object.entries<Any>(document.components.schemas).map(([name, schema]) => [name, closedInside(schema)])
  ajv.addSchema({ $id: 'document', components: { schemas: Object.fromEntries(schemas) } })
  const operations = Object.entries<Any>(document.paths).map(
    ([path, methods]): Operation => ({ pattern: patternOf(path), methods }),
  )
  const compiled = new Map<unknown, ValidateFunction>()
  const byText = new Map<string, ValidateFunction>()
  return {
    /** A path without parameters goes before one that has some. */
    operationsAt: (path: string) =>
      operations
        .filter(({ pattern }) => pattern.test(path))
        .sort((a, b) => a.pattern.source.split('+').length - b.pattern.source.split('+').length)[0]?.methods,
    resolved: (part: Any): Any =>
      part?.$ref
        ? part.$ref
            .split('/')
            .slice(1)
            .reduce((at: Any, key: string) => at[key], document)
        : part,
    /** Compiled once it is asked for: most tests meet few operations. The errors of most operations are the same. */
    validatorOf(schema: Any, close: (schema: Any) => Any): ValidateFunction {
      const known = compiled.get(schema)
      if (known) return known
      const text = `${close.name} ${JSON.stringify(schema)}`
      const found = byText.get(text) ?? ajv.compile(close(schema))
      byText.set(text, found)
      compiled.set(schema, found)
      return found
    },
    errorsOf: ({ errors }: ValidateFunction) => ajv.errorsText(errors) + JSON.stringify(errors?.[0]?.params ?? {}),
  }
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/[.]/g, '[.]').replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i')

const mapped = (part: Any, change: (part: Any) => Any): Any =>
  Array.isArray(part)
    ? part.map(change)
    : Object.fromEntries(Object.entries(part).map(([key, item]) => [key, change(item)]))

/** Its content is closed; it itself stays open, as a part of others may be. */
function closedInside(schema: Any): Any {
  if (typeof schema !== 'object' || schema === null) return schema
  const { properties, items, additionalProperties, anyOf, oneOf, allOf, $ref, ...rest } = schema
  return {
    ...rest,
    ...($ref && { $ref: `document${$ref}` }),
    ...(properties && { properties: mapped(properties, closed) }),
    ...(items && { items: closed(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: closed(additionalProperties) }),
    ...(anyOf && { anyOf: mapped(anyOf, closed) }),
    ...(oneOf && { oneOf: mapped(oneOf, closed) }),
    ...(allOf && { allOf: mapped(allOf, closedInside) }),
  }
}

function closed(schema: Any): Any {
  if (typeof schema !== 'object' || schema === null) return schema
  const isRecord = schema.$ref || schema.properties || schema.allOf
  return { ...closedInside(schema), ...(isRecord && { unevaluatedProperties: false }) }
}

const asItIs = (schema: Any) => schema

/** Further paths that the API serves. */
const beside = /^\/(healthz|readyz|openapi[.](json|yaml)|docs(\/.*)?|pages\/.*|admin\/queues(\/.*)?)?$/i
/** Refused before any route is looked for: HTTP that cannot be understood. */
const ofHttp = [408, 417, 431]

/** Throws when the document does not say that this request may be answered like this. */
export function assertDocumented(method: string, path: string, answer: Answer): void {
  opened ??= openDocument()
  const { pathname } = new URL(path, 'http://document')
  const methods = opened.operationsAt(pathname)
  const operation = methods?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
  const name = `${method} ${pathname} answered ${answer.status}`
  if (!operation || ofHttp.includes(answer.status)) {
    if (!methods && beside.test(pathname)) return
    assertRefusedEverywhere(opened, name, answer, methods ? 405 : 404, method === 'HEAD')
    return
  }
  const response = opened.resolved(operation.responses[answer.status])
  assert.ok(response, `${name}, a status that the document does not name: ${JSON.stringify(answer.body)}`)
  assertHeaders(opened, name, response.headers, answer)
  assertContent(opened, name, response.content, answer, method === 'HEAD')
}

type Opened = NonNullable<typeof opened>

function assertRefusedEverywhere(
  { validatorOf, errorsOf }: Opened,
  name: string,
  { status, headers, body }: Answer,
  expected: number,
  isHead: boolean,
): void {
  assert.ok(status === expected || ofHttp.includes(status), `${name}, which is no operation of the document`)
  if (status === 405) assert.ok(headers.get('allow'), `${name} without Allow`)
  const validate = validatorOf(anyError, closed)
  assert.ok(isHead || validate(body), `${name}: ${errorsOf(validate)}`)
}

const anyError = { $ref: '#/components/schemas/Error' }

function assertHeaders(
  { resolved, validatorOf, errorsOf }: Opened,
  name: string,
  described: Any,
  answer: Answer,
): void {
  for (const [header, reference] of Object.entries<Any>(described)) {
    const { required, schema } = resolved(reference)
    const value = answer.headers.get(header)
    assert.ok(value !== null || !required, `${name} without ${header}`)
    if (value === null) continue
    const validate = validatorOf(schema, asItIs)
    assert.ok(validate(schema.type === 'integer' ? Number(value) : value), `${name}, ${header}: ${errorsOf(validate)}`)
  }
}

function assertContent(opened: Opened, name: string, content: Any, { headers, body }: Answer, isHead: boolean): void {
  const type = headers.get('content-type')?.split(';')[0]
  if (!content) {
    assert.equal(body, '', `${name} with a body, and the document has none`)
    return
  }
  assert.ok(type !== undefined && content[type], `${name} as ${type}, which the document does not say`)
  if (isHead || type !== 'application/json') return
  const { schema } = content[type]
  if (body.error) assertError(opened, name, schema, body)
  else assertFits(opened, name, schema, body)
}

function assertFits({ validatorOf, errorsOf }: Opened, name: string, schema: Any, body: Any): void {
  const validate = validatorOf(schema, closed)
  assert.ok(validate(body), `${name}: ${errorsOf(validate)}`)
}

/** Of an error the document says the shape, and for this operation and status the types and codes. */
function assertError({ validatorOf, errorsOf }: Opened, name: string, schema: Any, body: Any): void {
  const [shape, narrowed] = schema.allOf
  for (const validate of [validatorOf(shape, closed), validatorOf(narrowed, asItIs)]) {
    assert.ok(validate(body), `${name}: ${errorsOf(validate)} ${JSON.stringify(body)}`)
  }
  const { code } = narrowed.properties.error.properties
  assert.ok(
    body.error.code === undefined || code,
    `${name} with the code ${body.error.code}, and the document has none`,
  )
}
