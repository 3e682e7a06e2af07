// The door to OpenTelemetry. Without an endpoint tracing is off: the SDK is not loaded, and every call here returns at once.
// Inside a process the current context travels by itself. Between processes it travels as a W3C `traceparent`: in the row
// that a request writes, in a wake-up, in the headers of a delivery.
import type { Attributes, Context, Link, Span, Tracer } from '@opentelemetry/api'

type Api = typeof import('@opentelemetry/api')
type Tracing = { api: Api; tracer: Tracer }

let tracing: Tracing | undefined

export type SpanOptions = {
  kind?: 'server' | 'client' | 'producer' | 'consumer'
  attributes?: Attributes
  /** The `traceparent` of the cause, if that is not the current span. */
  from?: string | null | undefined
  /** Causes that cannot be its parent: there are several, or they belong to somebody else. */
  links?: readonly (string | null | undefined)[]
  /** Starts no trace: without a span around it there is no span. */
  onlyInside?: boolean
}

export type OpenSpan = {
  /** Spans that `work` starts are children of this span. */
  run<T>(work: () => T): T
  rename(name: string): void
  /** Causes that are known only now. */
  link(sources: SpanOptions['links']): void
  set(attributes: Attributes): void
  end(failure?: unknown): void
}

const maxLinks = 64

/** Whether a span would be made: otherwise its preparation can be skipped. */
export const isTracing = (): boolean => tracing !== undefined

/** Undefined while tracing is off. */
export function startSpan(name: string, options: SpanOptions = {}): OpenSpan | undefined {
  const now = tracing
  if (!now) return undefined
  const { api, tracer } = now
  const parent = parentOf(now, options)
  if (options.onlyInside && !api.trace.getSpanContext(parent)) return undefined
  const kind = api.SpanKind[(options.kind ?? 'internal').toUpperCase() as 'INTERNAL']
  const { attributes } = options
  const span = tracer.startSpan(name, { kind, attributes, links: linksOf(now, options.links) }, parent)
  const inside = api.trace.setSpan(parent, span)
  return {
    run: (work) => api.context.with(inside, work),
    rename: (to) => void span.updateName(to),
    link: (sources) => void span.addLinks(linksOf(now, sources) ?? []),
    set: (more) => void span.setAttributes(more),
    end(failure) {
      if (failure !== undefined) fail(api, span, failure)
      span.end()
    },
  }
}

/** Runs `work` in a span. A rejection marks the span as failed and is passed on. */
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

/** The current span, as a row or a wake-up keeps it; null while tracing is off. */
export function currentTraceparent(): string | null {
  if (!tracing) return null
  const carrier: Record<string, string> = {}
  tracing.api.propagation.inject(tracing.api.context.active(), carrier)
  return carrier.traceparent ?? null
}

/** The headers by which another service continues the current trace. */
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

/** The trace of the row, unless the current span belongs to it already: then the current span is the parent. */
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

/** How long a process waits at its end until the last spans are sent. */
const closeDeadlineMs = 2_000

/**
 * Call this before the process opens anything else. The SDK reads its own variables (`OTEL_…`). Returns a function that sends
 * the remaining spans and ends the SDK. If the collector does not answer, only spans are lost.
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
