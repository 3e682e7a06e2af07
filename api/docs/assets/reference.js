// Starts the reference. Everything it loads comes from this service.
{
  const { root } = document.body.dataset
  const isDark = document.documentElement.dataset.theme === 'dark'
  Scalar.createApiReference('#reference', {
    url: `${root}/docs/reference.json`,
    agent: { disabled: true },
    authentication: { preferredSecurityScheme: 'apiKey' },
    darkMode: isDark,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    documentDownloadType: 'none',
    hiddenClients: true,
    hideClientButton: true,
    hideDarkModeToggle: true,
    hideSearch: false,
    mcp: { disabled: true },
    onLoaded: () => document.getElementById('waiting')?.remove(),
    persistAuth: true,
    // Requests go to the origin of the page, under any name: its policy allows no other place.
    servers: [{ url: `${location.origin}${root}` }],
    showDeveloperTools: 'never',
    telemetry: false,
    withDefaultFonts: false,
  })
}
