// Light or dark, before anything is painted: the reader's choice, or else the system's.
{
  const page = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')
  const chosen = () => localStorage.getItem('docs-theme')
  const apply = () => {
    page.dataset.theme = chosen() ?? (system.matches ? 'dark' : 'light')
    document.body?.classList.toggle('dark-mode', page.dataset.theme === 'dark')
    document.body?.classList.toggle('light-mode', page.dataset.theme !== 'dark')
  }
  apply()
  system.addEventListener('change', apply)
  addEventListener('DOMContentLoaded', () => {
    apply()
    const button = document.getElementById('theme-button')
    button.hidden = false
    button.addEventListener('click', () => {
      localStorage.setItem('docs-theme', page.dataset.theme === 'dark' ? 'light' : 'dark')
      apply()
    })
    // Next to the text the menu is always open; above it, on a phone, it opens on a click.
    const menu = document.getElementById('menu')
    const wide = matchMedia('(min-width: 50rem)')
    const fold = () => menu?.toggleAttribute('open', wide.matches)
    fold()
    wide.addEventListener('change', fold)
    menu?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  })
}
