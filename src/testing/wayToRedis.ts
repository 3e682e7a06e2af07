// A way to Redis on which it can load its data, as after a restart: then it refuses every command but INFO.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

const refusal = '-LOADING Redis is loading the dataset in memory\r\n'

export async function openWayToRedis(redisUrl: string) {
  const { hostname, port } = new URL(redisUrl)
  const clients = new Set<Socket>()
  let isLoading = false
  const server = createServer((client) => {
    clients.add(client)
    const redis = connect(Number(port), hostname)
    const take = openCommands()
    client.on('data', (chunk) => {
      for (const command of take(chunk)) {
        if (!isLoading) redis.write(command)
        else if (/^\*\d+\r\n\$4\r\ninfo\r\n/i.test(command.toString('latin1', 0, 20)))
          client.write(bulk('loading:1\r\n'))
        else client.write(refusal)
      }
    })
    redis.on('data', (chunk) => client.writable && client.write(chunk))
    client
      .on('error', () => undefined)
      .on('close', () => {
        clients.delete(client)
        redis.destroy()
      })
    redis.on('error', () => undefined).on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const hangUp = () => {
    for (const client of clients) client.destroy()
  }
  const url = new URL(redisUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    hangUp,
    load(loads: boolean) {
      isLoading = loads
    },
    async close() {
      hangUp()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`

/** Divides what a client sends into its commands, each an array of strings. */
function openCommands() {
  let rest = Buffer.alloc(0)
  const lineEnd = (at: number) => rest.indexOf('\r\n', at)
  const numberAt = (at: number) => Number(rest.toString('latin1', at + 1, lineEnd(at)))
  function endOfFirst(): number | undefined {
    if (lineEnd(0) < 0) return undefined
    let at = lineEnd(0) + 2
    for (let left = numberAt(0); left > 0; left--) {
      if (lineEnd(at) < 0) return undefined
      at = lineEnd(at) + 2 + numberAt(at) + 2
    }
    return at <= rest.length ? at : undefined
  }
  return (chunk: Buffer): Buffer[] => {
    rest = Buffer.concat([rest, chunk])
    const commands: Buffer[] = []
    for (let end = endOfFirst(); end !== undefined; end = endOfFirst()) {
      commands.push(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
    return commands
  }
}
