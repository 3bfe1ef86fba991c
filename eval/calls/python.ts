/** A small Python project, calls that exist in it or in what it builds upon, and calls that do not. */
import type { CallList } from "./types.ts";

const files = {
  "shop/__init__.py": "from .cart import Cart, Item, total\n",
  "shop/cart.py": `from dataclasses import dataclass


@dataclass
class Item:
    name: str
    price: int

    def label(self):
        return self.name


class Holder:
    def __init__(self):
        self.items = []

    def add_item(self, item):
        self.items.append(item)

    def remove_item(self, item):
        self.items.remove(item)


class Cart(Holder):
    limit = 10

    def __init__(self, owner=None):
        super().__init__()
        self.owner = owner
        self.on_change = print

    @classmethod
    def from_rows(cls, rows):
        return cls(rows)

    @staticmethod
    def parse_row(row):
        return row

    @property
    def size(self):
        return len(self.items)

    def checkout(self, method="card"):
        return total(self.items)


def total(items):
    return sum(one.price for one in items)


def apply_discount(items, percent=5):
    return items
`,
  "shop/ledger.py": `class Ledger:
    def __init__(self):
        self.rows = []

    def record(self, row):
        self.rows.append(row)

    def close_month(self):
        return self.rows

    def export_csv(self, path):
        return path


def reconcile(left, right):
    return left == right


def open_ledger(path):
    return Ledger()
`,
  "shop/text.py": `import re

pattern = re.compile("x")


def slugify(text):
    return pattern.sub("-", text)


def shorten_text(text, width=10):
    return text[:width]


def split_words(text):
    return text.split()


shout = str.upper
`,
} as const;

const head = `import asyncio
import collections
import datetime
import itertools
import json
import math
import os
import os.path
import random
import re
import shutil
import subprocess
import sys
import time
from os import path as osp

from shop import cart, ledger, text
from shop.cart import Cart, Item, apply_discount, total
from shop.ledger import Ledger
from shop.text import shorten_text, slugify

`;

const placements: CallList["placements"] = [
  (call, n) => `def use_${n}(value=None):\n    return ${call}\n`,
  (call, n) =>
    `def use_${n}(value=None):\n    for one in [1, 2]:\n        if one:\n            ${call}\n`,
  (call, n) => `def use_${n}(value=None):\n    return [${call} for _ in range(3)]\n`,
  (call, n) =>
    `def use_${n}(value=None):\n    result = f"{${call.replaceAll('"', "'")}}"\n    return result\n`,
  (call, n) => `def use_${n}(value=None):\n    return lambda: ${call}\n`,
  (call, n) => `async def use_${n}(value=None):\n    return await ${call}\n`,
  (call, n) =>
    `class Use${n}:\n    def run(self, value=None):\n        with open("a") as file:\n            file.write(str(${call}))\n`,
  (call, n) =>
    `def use_${n}(value=None):\n    def inner():\n        return {"a": ${call}}\n\n    return inner\n`,
  (call) => `${call}\n`,
  (call, n) => `def use_${n}(value=None):\n    return print(len(str(${call})), sep="")\n`,
];

/** Of a class of the edited file itself: \`self\` and \`cls\`. */
const inClass = (call: string, n: number): string => `class Own${n}(Cart):
    def __init__(self):
        super().__init__()
        self.book = Ledger()

    def helper(self):
        return self.items

    @classmethod
    def build(cls):
        return cls()

    def run(self, value=None):
        return ${call}

    @classmethod
    def make(cls, value=None):
        return ${call.replaceAll(/\bself\./g, "cls.")}
`;

const missing = `
cart.totl([]) cart.discount_all([]) cart.apply_discounts([]) cart.make_cart() cart.get_total([]) cart.sum_items([]) cart.Carts() cart.total_price([])
ledger.reconcil(1,2) ledger.close() ledger.openledger("a") ledger.read_ledger("a") ledger.Ledgers() ledger.new_ledger() ledger.save("a") ledger.merge_rows(1)
text.slugfy("a") text.shorten("a") text.word_count("a") text.split_word("a") text.titlecase("a") text.to_slug("a") text.strip_tags("a") text.shoutt("a")
Cart.from_row([]) Cart.from_json("a") Cart.parse_rows(1) Cart.create() Cart.load_all() Cart.empty() Ledger.open("a") Ledger.from_file("a") Item.build("a") Item.parse("a")
Cart().checkot() Cart().add_items(1) Cart().clear_all() Cart().get_items() Ledger().record_row(1) Ledger().close_months() Ledger().export_json("a") Item("a",1).labels() Item("a",1).describe_it()
Cart().close_month() Cart().record(1) Ledger().checkout() Ledger().add_item(1) Item("a",1).checkout()
slugfy("a") shorten_texts("a") totals([]) apply_discont([]) split_words("a") reconcile(1,2) open_ledger("a") parse_rows("a") compute_tax(1) load_settings() send_receipt(1) validate_cart(1)
format_price(1) get_logger_for("a") build_index([]) normalise_name("a") fetch_user(1) calculate_shipping(1) to_snake_case("a") chunk_list([]) retry_call(print) deep_merge_dicts({},{})
os.makedir("a") os.path.exist("a") os.path.joins("a","b") os.listdirs("a") os.removefile("a") os.get_env("A") os.copy("a","b") os.path.size("a") os.path.is_file("a") osp.exist("a") osp.dir("a") os.mkdirs("a")
json.stringify({}) json.parse("a") json.load_file("a") json.dump_string({}) json.read("a") json.to_string({}) json.encode({}) math.round(1) math.abs(1) math.max(1,2) math.sum([1]) math.power(1,2) math.average([1]) math.squareroot(4)
random.randInt(1,2) random.pick([1]) random.number() random.choose([1]) random.string(5) re.matchall("a","b") re.replace("a","b","c") re.test("a","b") re.find("a","b") re.searchall("a","b")
sys.getargs() sys.quit() sys.print("a") sys.read_line() time.now() time.wait(1) time.millis() time.get_time() datetime.now() datetime.today() datetime.parse("a") datetime.utcnow() shutil.copydir("a","b") shutil.remove("a") shutil.rename("a","b") shutil.mkdir("a")
subprocess.exec(["a"]) subprocess.execute(["a"]) subprocess.run_command("a") subprocess.shell("a") itertools.flatten([]) itertools.zip([],[]) itertools.chunk([],2) itertools.window([],2) collections.Default(int) collections.OrderDict() asyncio.start(1) asyncio.wait_all([]) asyncio.delay(1) asyncio.run_all([])
`
  .trim()
  .split(/\s+/);

const missingInClass = `
self.helpr() self.add_items(1) self.checkot() self.remove_all_items() self.get_helper() self.helper_two() self.close_month() self.record(1) self.from_row([]) self.validate_all() self.to_json_text() self.refresh_prices() self._helper() self.addItem(1)
self.book.recrd(1) self.book.close_all() self.book.checkout() self.book.export_json("a") self.build_all() self.from_dict({}) self.make_all() self.parse_rowz(1) self.notify_owner() self.apply_discounts() self.is_emptyy() self.total_of() self.open_ledger() self.exportCsv("a")
`
  .trim()
  .split(/\s+/);

const legal = `
cart.total([]) cart.apply_discount([]) cart.Cart() cart.Item("a",1) cart.Holder() cart.Cart.from_rows([]) ledger.reconcile(1,2) ledger.open_ledger("a") ledger.Ledger() ledger.open_ledger("a").record(1) ledger.Ledger().close_month()
text.slugify("a") text.shorten_text("a") text.split_words("a") text.shout("a") text.pattern.sub("a","b") text.re.compile("a") Cart.from_rows([]) Cart.parse_row(1) Cart.from_rows([]).checkout() Cart().add_item(1) Cart().remove_item(1) Cart().checkout("cash") Cart().on_change(1)
Item("a",1).label() Item("a",1).label().upper() Ledger().record(1) Ledger().close_month().append(1) Ledger().export_csv("a") slugify("a") shorten_text("a",width=3) total([]) apply_discount([],percent=2) str(1).casefold() "a".join(["b"]) [1].append(2) {}.setdefault(1,2) {1}.union({2}) b"a".hex()
os.makedirs("a") os.path.exists("a") os.path.join("a","b") os.listdir("a") os.remove("a") os.getenv("A") os.environ.get("A") os.path.getsize("a") os.path.isfile("a") osp.exists("a") osp.dirname("a") os.startfile("a") os.fork() os.sched_getaffinity(0) os.posix_fadvise(1,2,3,4) os.process_cpu_count() os.scandir("a")
json.dumps({}) json.loads("1") json.JSONEncoder().encode(1) math.sqrt(4) math.fsum([1]) math.isclose(1,2) math.sumprod([1],[2]) math.cbrt(3) random.randint(1,2) random.choice([1]) random.SystemRandom().random() random.binomialvariate() re.sub("a","b","c") re.findall("a","b") re.compile("a").match("b") re.NOFLAG.bit_length()
sys.exit() sys.stdout.write("a") sys.getsizeof(1) sys.activate_stack_trampoline("perf") time.sleep(1) time.monotonic_ns() time.strftime("a") datetime.datetime.now() datetime.date.today() datetime.timedelta(1).total_seconds() datetime.UTC.utcoffset(None) shutil.copytree("a","b") shutil.rmtree("a") shutil.which("a") shutil.move("a","b")
subprocess.run(["a"]) subprocess.Popen(["a"]).communicate() subprocess.check_output(["a"]) itertools.chain([],[]) itertools.batched([],2) itertools.pairwise([]) itertools.chain.from_iterable([]) collections.OrderedDict() collections.Counter().most_common() collections.deque().appendleft(1) collections.defaultdict(int).setdefault(1,2) asyncio.run(1) asyncio.gather(1) asyncio.sleep(1) asyncio.timeout(1) asyncio.TaskGroup() asyncio.get_event_loop().run_forever()
getattr(value,"anything")() value.strip() value() (lambda x:x)(1) type(value)() dict(a=1).items() sorted([]).copy() open("a").read() print(value) super isinstance(value,str) Exception("a").with_traceback(None) vars(value).get("a")
`
  .trim()
  .split(/\s+/)
  .filter((call) => call !== "super");

const legalInClass = `
self.helper() self.add_item(1) self.checkout() self.remove_item(1) self.from_rows([]) self.parse_row(1) self.on_change(1) self.items.append(1) self.book.record(1) self.book.close_month() self.build() self.make() self.__class__() self.items.copy().sort() super().checkout() super().add_item(1) self.run() type(self).build() self.book.rows.append(1)
`
  .trim()
  .split(/\s+/);

export const pythonCalls: CallList = {
  files,
  path: (n) => `app/use_${n}.py`,
  head,
  placements,
  inClass,
  ...{ missing, missingInClass, legal, legalInClass },
};
