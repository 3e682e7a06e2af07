import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { trace } from '@opentelemetry/api'
import { beforeAll, describe, test } from 'vitest'
import { currentTraceparent, inSpan, openTelemetry, startSpan, traceHeaders, traceIds } from './tracing.ts'

const source = new URL('../', import.meta.url).href

/**
 * The part of OpenTelemetry that a process loads when everything it runs is imported and opened. prom-client brings the
 * interface.
 */
function loaded(isOn: boolean): string[] {
  const code = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({
      load(url, context, next) {
        if (/@opentelemetry\\/(?!api\\/)/.test(url)) loaded.push(url)
        return next(url, context)
      },
    })
    const { openTelemetry } = await import('${source}observability/tracing.ts')
    for (const file of ['app.ts', '../api/server.ts', '../workers/pools.ts']) await import('${source}' + file)
    await openTelemetry({ isOn: ${isOn}, serviceName: undefined }, 'test')
    console.log(JSON.stringify(loaded))
    process.exit(0)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  assert.ok(stdout, stderr)
  return JSON.parse(stdout)
}

test('with tracing off nothing of OpenTelemetry is loaded', () => {
  assert.deepEqual(loaded(false), [])
  assert.notEqual(loaded(true).length, 0)
})

test('with tracing off every call does nothing but the work', async () => {
  await openTelemetry({ isOn: false, serviceName: undefined }, 'test')
  assert.equal(startSpan('nothing'), undefined)
  assert.equal(await inSpan('nothing', {}, async (span) => (span === undefined ? 'done' : 'traced')), 'done')
  assert.equal(currentTraceparent(), null)
  assert.deepEqual(traceHeaders(), {})
  assert.deepEqual(traceIds(), {})
})

describe('with tracing on, and no collector there', () => {
  let close: () => Promise<void>

  beforeAll(async () => {
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:9'
    process.env.OTEL_TRACES_SAMPLER = 'parentbased_traceidratio'
    process.env.OTEL_TRACES_SAMPLER_ARG = '0'
    close = await openTelemetry({ isOn: true, serviceName: undefined }, 'test')
  })

  test('a share of the traces is kept, and what is not kept has a context all the same', async () => {
    const traceparent = await inSpan('root', {}, async () => currentTraceparent())
    assert.match(traceparent!, /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  })

  const kept = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  test('what was decided at the beginning of a trace holds to its end', async () => {
    const traceparent = await inSpan('later', { from: kept }, async () => currentTraceparent())
    assert.match(traceparent!, /^00-a{32}-[0-9a-f]{16}-01$/)
  })

  test('of the same trace, what is under way is the parent', async () => {
    await inSpan('outer', { from: kept }, async () => {
      const outer = traceIds().span_id
      await inSpan('inner', { from: kept }, async () => assert.equal(activeSpan().parentSpanContext?.spanId, outer))
    })
  })

  test('a statement outside of any span makes none', () => {
    assert.equal(startSpan('statement', { onlyInside: true }), undefined)
  })

  test('a span ends with its work, and a failure goes on', async () => {
    let span: SdkSpan | undefined
    const failing = inSpan('failing', { from: kept }, async () => {
      span = activeSpan()
      throw Object.assign(new Error('no'), { code: 'E1' })
    })
    await assert.rejects(failing, /no/)
    assert.deepEqual([span?.status.code, span?.ended], [2, true])
    assert.deepEqual(traceIds(), {})
  })

  test('work goes on, and the end comes in time', async () => {
    const startedAt = performance.now()
    await close()
    assert.ok(performance.now() - startedAt < 4_000)
    assert.equal(currentTraceparent(), null)
  })
})

type SdkSpan = { parentSpanContext?: { spanId: string }; status: { code: number }; ended: boolean }

const activeSpan = () => trace.getActiveSpan() as unknown as SdkSpan
