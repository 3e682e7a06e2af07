// The door to OpenTelemetry. Off unless an endpoint is set: then the SDK is not loaded, and every call here returns at
// once. The context of what is under way travels inside a process by itself, between processes as a W3C `traceparent`: in
// the row of what it causes, in a wake-up, in a delivery's headers.
import type { Attributes, Context, Link, Span, Tracer } from '@opentelemetry/api'

type Api = typeof import('@opentelemetry/api')
type Tracing = { api: Api; tracer: Tracer }

let tracing: Tracing | undefined

export type SpanOptions = {
  kind?: 'server' | 'client' | 'producer' | 'consumer'
  attributes?: Attributes
  /** The `traceparent` of what caused it, where that is not what is under way here. */
  from?: string | null | undefined
  /** Causes that it does not belong to: there are several, or they are not ours. */
  links?: readonly (string | null | undefined)[]
  /** Nothing of its own: without a span around it there is none. */
  onlyInside?: boolean
}

type OpenSpan = {
  /** What `work` begins belongs to the span. */
  run<T>(work: () => T): T
  rename(name: string): void
  set(attributes: Attributes): void
  end(failure?: unknown): void
}

const maxLinks = 64

/** Undefined while tracing is off. */
export function startSpan(name: string, options: SpanOptions = {}): OpenSpan | undefined {
  if (!tracing) return undefined
  const { api, tracer } = tracing
  const parent = parentOf(tracing, options)
  if (options.onlyInside && !api.trace.getSpanContext(parent)) return undefined
  const kind = api.SpanKind[(options.kind ?? 'internal').toUpperCase() as 'INTERNAL']
  const { attributes } = options
  const span = tracer.startSpan(name, { kind, attributes, links: linksOf(tracing, options.links) }, parent)
  const inside = api.trace.setSpan(parent, span)
  return {
    run: (work) => api.context.with(inside, work),
    rename: (to) => void span.updateName(to),
    set: (more) => void span.setAttributes(more),
    end(failure) {
      if (failure !== undefined) fail(api, span, failure)
      span.end()
    },
  }
}

/** Runs `work` in a span of its own; a rejection marks the span, and goes on. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: OpenSpan | undefined) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, options)
  if (!span) return work(undefined)
  try {
    const result = await span.run(() => work(span))
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}

/** Of what is under way here, as it is kept in a row or a wake-up; null while tracing is off. */
export function currentTraceparent(): string | null {
  if (!tracing) return null
  const carrier: Record<string, string> = {}
  tracing.api.propagation.inject(tracing.api.context.active(), carrier)
  return carrier.traceparent ?? null
}

/** The headers that tell another service of what is under way here. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  if (tracing) tracing.api.propagation.inject(tracing.api.context.active(), headers)
  return headers
}

/** For log lines. */
export function traceIds(): { trace_id?: string; span_id?: string } {
  const context = tracing?.api.trace.getActiveSpan()?.spanContext()
  return context ? { trace_id: context.traceId, span_id: context.spanId } : {}
}

/** A row's own trace goes on where it is not the one under way already: then the finer span is the parent. */
function parentOf(now: Tracing, { from }: SpanOptions): Context {
  const { trace, context } = now.api
  const active = context.active()
  if (!from) return active
  const given = extract(now, from)
  const isSame = trace.getSpanContext(given)?.traceId === trace.getSpanContext(active)?.traceId
  return isSame ? active : given
}

function linksOf(now: Tracing, sources: SpanOptions['links']): Link[] | undefined {
  const different = new Set((sources ?? []).filter((source) => typeof source === 'string'))
  return [...different].slice(0, maxLinks).flatMap((source) => {
    const context = now.api.trace.getSpanContext(extract(now, source))
    return context ? [{ context }] : []
  })
}

const extract = ({ api }: Tracing, traceparent: string): Context =>
  api.propagation.extract(api.ROOT_CONTEXT, { traceparent })

function fail(api: Api, span: Span, failure: unknown) {
  const error = failure as Error & { code?: unknown }
  span.setStatus({ code: api.SpanStatusCode.ERROR, message: error?.message })
  span.setAttribute('error.type', String(error?.code ?? error?.name ?? 'error'))
}

type TelemetryOptions = { isOn: boolean; serviceName: string | undefined }

/** How long the end of a process waits for the last spans to be sent. */
const closeDeadlineMs = 2_000

/**
 * Before anything else of the process is opened. The SDK reads its own variables (`OTEL_…`); returns what sends the rest
 * and ends it. A collector that is away costs spans, nothing else.
 */
export async function openTelemetry(
  { isOn, serviceName }: TelemetryOptions,
  processName: string,
): Promise<() => Promise<void>> {
  if (!isOn) return async () => undefined
  const [api, { NodeSDK }] = await Promise.all([import('@opentelemetry/api'), import('@opentelemetry/sdk-node')])
  const sdk = new NodeSDK({
    serviceName: serviceName ?? `agent-calendar-${processName}`,
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
  })
  sdk.start()
  tracing = { api, tracer: api.trace.getTracer('agent-calendar') }
  return async () => {
    tracing = undefined
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, closeDeadlineMs)
    })
    await Promise.race([sdk.shutdown().catch(() => undefined), late])
    clearTimeout(timer)
  }
}
