import { expect, it } from "vitest";
import { outlined } from "./outlined.ts";

it("E-01 Elixir: modules, functions with guards, protocols, aliases", async () => {
  const { outline, shape, span, body, symbol, imports } = await outlined(
    "elixir",
    `defmodule Shop.Door do
  @moduledoc "Doors"
  alias X.Y, as: Z
  import Enum

  @doc "Opens."
  @spec open(integer) :: integer
  def open(a) when a > 1, do: a

  def open(a, b) do
    a + b
  end

  defp hidden, do: 1
  defmacro m(x), do: x
end

defimpl Shape, for: Door do
  def area(a), do: 1
end
`,
  );
  expect(outline.problems).toEqual([]);
  expect(shape).toEqual([
    "module Shop.Door",
    "function Shop.Door.open",
    "function Shop.Door.open~2",
    "function Shop.Door.hidden",
    "macro Shop.Door.m",
    "impl impl.Door.Shape",
    "function impl.Door.Shape.area",
  ]);
  expect(span("Shop.Door.open~2")).toBe("def open(a, b) do\n    a + b\n  end");
  expect(body("Shop.Door.open~2")).toBe("do\n    a + b\n  end");
  expect(symbol("Shop.Door.open").decorators).toEqual([
    'doc "Opens."',
    "spec open(integer) :: integer",
  ]);
  expect(symbol("Shop.Door.hidden").isPrivate).toBe(true);
  expect(imports).toEqual(["X.Y: X.Y>Z", "Enum: *>*"]);
});
