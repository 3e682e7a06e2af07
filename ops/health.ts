// `node ops/health.ts http://127.0.0.1:3000/readyz`: exit code 0 when the address answers with 2xx within 4 seconds. For
// images that have neither a shell nor curl.
const [address] = process.argv.slice(2)

try {
  if (!address) throw new Error('name the address to ask')
  const answer = await fetch(address, { signal: AbortSignal.timeout(4_000) })
  if (!answer.ok) throw new Error(`answered ${answer.status}`)
} catch (error) {
  const { message, cause } = error as Error & { cause?: Error }
  console.error(`${address}: ${cause?.message || message}`)
  process.exitCode = 1
}
