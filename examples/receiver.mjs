import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

createServer(async (req, res) => {
  const body = (await req.toArray()).join('')
  const signed = `${req.headers['x-timestamp']}.${body}`
  const expected = `sha256=${createHmac('sha256', process.env.SECRET).update(signed).digest('hex')}`
  const given = String(req.headers['x-signature'])
  const isFresh = Math.abs(Date.now() / 1000 - Number(req.headers['x-timestamp'])) < 300
  const isSigned = given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  const isGenuine = isFresh && isSigned
  console.log(req.headers['x-service-event-type'], isGenuine ? 'genuine' : 'refused', body)
  res.writeHead(isGenuine ? 204 : 401).end()
}).listen(process.env.PORT ?? 4000)
