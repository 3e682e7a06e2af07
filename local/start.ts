// `npm start`: the whole service on this machine, with the stores that the environment does not provide. `npm run dev` adds `--watch`:
// its processes start again whenever a source file changes. `--empty`: a new demo organization has nothing in it.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { reachLoopbackDirectly } from '../src/outbound/loopback.ts'
import { runStack } from './stack.ts'

const { values } = parseArgs({ options: { watch: { type: 'boolean' }, empty: { type: 'boolean' } } })

const script = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

// A reader that goes away (`npm start | head`) must not end this process before it has stopped the stores.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

reachLoopbackDirectly(process.env)
const code = await runStack({
  env: process.env,
  commands: [
    { name: 'api', file: script('api/main.ts') },
    { name: 'workers', file: script('workers/main.ts') },
  ],
  isDemoEmpty: values.empty ?? false,
  watched: values.watch ? ['api', 'src', 'workers'].map(script) : [],
})
process.exit(code)
