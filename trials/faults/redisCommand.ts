import { connect } from 'node:net'

/** One command to the Redis at `url`, over a connection of its own. Resolves with the last line of the answer. */
export function redisCommand(url: string, command: string): Promise<string> {
  const { hostname, port, password } = new URL(url)
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(`AUTH ${password}\r\n${command}\r\nQUIT\r\n`))
    socket.setTimeout(5_000, () => socket.destroy(new Error('Redis did not answer')))
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text.trim().split('\r\n').at(-2) ?? ''))
  })
}
