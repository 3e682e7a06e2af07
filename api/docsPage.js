// The page of /docs, in the browser. Swagger UI would show a box for each security scheme: here two boxes stand for all,
// and the cookie comes from signing in.
const boxes = {
  'API key': {
    stands: ['organizationKey', 'agentKey'],
    description: "The organization's key (svc_sk_…) or the key of one agent (svc_ak_…).",
  },
  'Console session or administrator': {
    stands: ['session', 'administratorToken'],
    description: 'The token of a sign-in, or the ADMIN_TOKEN of the installation. Most callers need neither.',
  },
}

/** The text in a box applies to every scheme that the box stands for. */
const forEachScheme = (given) => ({
  ...given,
  ...Object.fromEntries(
    Object.entries(given).flatMap(([box, one]) => (boxes[box]?.stands ?? []).map((name) => [name, { ...one, name }])),
  ),
})

const authorizing = () => ({
  statePlugins: {
    auth: {
      wrapSelectors: {
        definitionsToAuthorize: (original) => (state) => {
          const schemes = original(state)
          const scheme = schemes?.first()?.first()
          if (!scheme) return schemes
          const shown = Object.entries(boxes).map(([name, { description }]) =>
            schemes.first().clear().set(name, scheme.set('description', description)),
          )
          return schemes.clear().concat(shown)
        },
      },
      wrapActions: {
        authorizeWithPersistOption: (original) => (given) => original(forEachScheme(given)),
        logoutWithPersistOption: (original) => (names) =>
          original([...names, ...names.flatMap((name) => boxes[name]?.stands ?? [])]),
        showDefinitions: (original) => (shown) => {
          const answer = original(shown)
          if (shown) requestAnimationFrame(atTheTop)
          return answer
        },
      },
    },
  },
})

/** Each box takes the focus when it appears, so the last one would keep it. */
function atTheTop() {
  document.querySelector('.dialog-ux input')?.focus()
  const content = document.querySelector('.dialog-ux .modal-ux-content')
  if (content) content.scrollTop = 0
}

/** The forms that humans fill in are no part of a reference; beyond 99 paths Swagger UI shows only the first four operations. */
function withoutForms(answer) {
  if (!answer.url.endsWith('/openapi.json') || !answer.text) return answer
  const document = JSON.parse(answer.text)
  for (const path of Object.keys(document.paths)) if (path.startsWith('/connect')) delete document.paths[path]
  document.tags = document.tags.filter(({ name }) => name !== 'Connect pages')
  return { ...answer, text: JSON.stringify(document) }
}

SwaggerUIBundle({
  url: '/openapi.json',
  responseInterceptor: withoutForms,
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: true,
  plugins: [authorizing],
  tryItOutEnabled: true,
  validatorUrl: null,
})
