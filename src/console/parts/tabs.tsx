/** Tabs as links to URLs, one of which is selected. Each tab is thus a page with its own address. */
export function Tabs({ label, tabs, current }: { label: string; tabs: Record<string, string>; current: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      {Object.entries(tabs).map(([name, href]) => (
        <a key={name} href={href} aria-current={name === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}
