// This tab may no longer read: says how to come back.
export function SessionOver() {
  return (
    <main class="over" id="main">
      <h1>Open the page again</h1>
      <p>
        This tab is not signed in: its address was used already, nothing happened here for twelve hours, or another
        program answered at this address. In a terminal, run
      </p>
      <pre>
        <code>belfry dashboard</code>
      </pre>
      <p>and a new tab opens, signed in.</p>
    </main>
  );
}
