import { Icon } from "./icons.tsx";

/** Shown to a browser that came without a link, or after the server has started anew. */
export const SignInPage = ({ problem }: { problem: string | undefined }) => (
  <main class="sign-in">
    <div class="panel sign-in-panel">
      <div class="brand">
        <img src="/icon.svg" alt="" width="28" height="28" />
        <span>Headgate</span>
      </div>
      <h1>Headgate is running</h1>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p>
        This page belongs to one repository and opens with a link that works once. In a terminal in
        that repository:
      </p>
      <pre class="command">
        <code>headgate up</code>
      </pre>
      <p>
        It prints <em>dashboard</em> with a new link, also when the server runs already. Without a
        browser: <code>headgate status</code>, <code>headgate claims</code>,{" "}
        <code>headgate events --follow</code>.
      </p>
      <p class="muted">
        <Icon name="check" /> Nothing leaves this computer.
      </p>
    </div>
  </main>
);
