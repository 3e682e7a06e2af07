// `node ops/health.ts http://127.0.0.1:3000/readyz`: exit code 0 if the address answers with 2xx within 4 seconds. It
// is for images that have neither a shell nor curl.
import { reachLoopbackDirectly } from '../src/outbound/loopback.ts'

reachLoopbackDirectly(process.env)
const [address] = process.argv.slice(2)

if (address) await ask(address)
else fail('name the address to ask, as in: node ops/health.ts http://127.0.0.1:3000/readyz')

async function ask(url: string): Promise<void> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) })
    if (!answer.ok) fail(`${url}: answered ${answer.status}`)
    // A connection with an unread answer keeps this process for seconds.
    await answer.body?.cancel()
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error }
    fail(`${url}: ${cause?.message || message}`)
  }
}

function fail(line: string): void {
  console.error(line)
  process.exitCode = 1
}
