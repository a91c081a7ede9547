"""Writing LLVM's assembly for one value or for several side by side: the same text, another type."""

from __future__ import annotations

import struct
from collections.abc import Sequence


class Writer:
    """Appends instructions; every call returns the name of the value it makes.

    `doubts` collects conditions under which a lane's values may be wrong; None where each is seen to on the spot.
    """

    def __init__(self, width: int, fma: bool, doubts: list[str] | None = None) -> None:
        self.width, self.fma_allowed = width, fma
        self.type = "double" if width == 1 else f"<{width} x double>"
        self.bits = "i64" if width == 1 else f"<{width} x i64>"
        self.truth = "i1" if width == 1 else f"<{width} x i1>"
        self.suffix = "f64" if width == 1 else f"v{width}f64"
        self.doubts = doubts
        self.lines: list[str] = []
        self.needs: set[str] = set()  # declarations of functions that are called
        self._next = 0

    def fresh(self, stem: str = "v") -> str:
        self._next += 1
        return f"%{stem}{self._next}"

    def put(self, text: str) -> str:
        name = self.fresh()
        self.lines.append(f"  {name} = {text}")
        return name

    def constant(self, value: float) -> str:
        """A number, repeated in every lane, exact to the bit."""
        pattern = f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
        if self.width == 1:
            return pattern
        return "<" + ", ".join([f"double {pattern}"] * self.width) + ">"

    def integer(self, value: int) -> str:
        return str(value) if self.width == 1 else "<" + ", ".join([f"i64 {value}"] * self.width) + ">"

    def add(self, a: str, b: str) -> str:
        return self.put(f"fadd {self.type} {a}, {b}")

    def sub(self, a: str, b: str) -> str:
        return self.put(f"fsub {self.type} {a}, {b}")

    def mul(self, a: str, b: str) -> str:
        return self.put(f"fmul {self.type} {a}, {b}")

    def div(self, a: str, b: str) -> str:
        return self.put(f"fdiv {self.type} {a}, {b}")

    def neg(self, a: str) -> str:
        return self.put(f"fneg {self.type} {a}")

    def muladd(self, a: str, b: str, c: str) -> str:
        """a b + c, rounded once where the machine can."""
        if not self.fma_allowed:
            return self.add(self.mul(a, b), c)
        return self.intrinsic("fma", a, b, c)

    def intrinsic(self, name: str, *arguments: str) -> str:
        """One of LLVM's functions on floating-point values."""
        symbol = f"@llvm.{name}.{self.suffix}"
        self.needs.add(f"declare {self.type} {symbol}({', '.join([self.type] * len(arguments))})")
        return self.put(f"call {self.type} {symbol}({', '.join(f'{self.type} {x}' for x in arguments)})")

    def compare(self, how: str, a: str, b: str) -> str:
        return self.put(f"fcmp {how} {self.type} {a}, {b}")

    def select(self, condition: str, yes: str, no: str) -> str:
        return self.put(f"select {self.truth} {condition}, {self.type} {yes}, {self.type} {no}")

    def both(self, a: str, b: str) -> str:
        return self.put(f"and {self.truth} {a}, {b}")

    def either(self, a: str, b: str) -> str:
        return self.put(f"or {self.truth} {a}, {b}")

    def as_bits(self, value: str) -> str:
        """The same pattern read as integers."""
        return self.put(f"bitcast {self.type} {value} to {self.bits}")

    def truth_value(self, condition: str) -> str:
        """1.0 where it holds, 0.0 elsewhere, as CasADi counts truth."""
        return self.select(condition, self.constant(1.0), self.constant(0.0))

    def shuffle(self, a: str, b: str, lanes: Sequence[int]) -> str:
        """Lanes of a, and those of b counted on from them."""
        chosen = ", ".join(f"i32 {lane}" for lane in lanes)
        return self.put(f"shufflevector {self.type} {a}, {self.type} {b}, <{len(lanes)} x i32> <{chosen}>")

    def spread(self, value: str) -> str:
        """One number in every lane."""
        if self.width == 1:
            return value
        first = self.put(f"insertelement {self.type} poison, double {value}, i32 0")
        return self.shuffle(first, "poison", [0] * self.width)

    def first_lanes(self, count: int) -> str:
        """The mask of so many lanes."""
        return "<" + ", ".join(f"i1 {str(lane < count).lower()}" for lane in range(self.width)) + ">"

    def load(self, address: str, count: int) -> str:
        """The first `count` lanes, from where nothing else need be readable."""
        if count >= self.width:
            return self.put(f"load {self.type}, ptr {address}, align 8")
        symbol = f"@llvm.masked.load.{self.suffix}.p0"
        self.needs.add(f"declare {self.type} {symbol}(ptr, i32, {self.truth}, {self.type})")
        mask = f"{self.truth} {self.first_lanes(count)}"
        return self.put(f"call {self.type} {symbol}(ptr {address}, i32 8, {mask}, {self.type} poison)")

    def store(self, value: str, address: str, count: int) -> None:
        """The first `count` lanes, and nothing beside them."""
        if count >= self.width:
            self.lines.append(f"  store {self.type} {value}, ptr {address}, align 8")
            return
        symbol = f"@llvm.masked.store.{self.suffix}.p0"
        self.needs.add(f"declare void {symbol}({self.type}, ptr, i32, {self.truth})")
        mask = f"{self.truth} {self.first_lanes(count)}"
        self.lines.append(f"  call void {symbol}({self.type} {value}, ptr {address}, i32 8, {mask})")

    def soon_written(self, address: str) -> None:
        """Fetch a line of memory that stores will go to; any address will do."""
        self.needs.add("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
        self.lines.append(f"  call void @llvm.prefetch.p0(ptr {address}, i32 1, i32 3, i32 1)")

    def any(self, condition: str) -> str:
        """Whether a condition holds in any lane."""
        if self.width == 1:
            return condition
        symbol = f"@llvm.vector.reduce.or.v{self.width}i1"
        self.needs.add(f"declare i1 {symbol}({self.truth})")
        return self.put(f"call i1 {symbol}({self.truth} {condition})")

    def lanes(self, function: str, *arguments: str) -> str:
        """A function of the C library, lane by lane."""
        self.needs.add(f"declare double @{function}({', '.join(['double'] * len(arguments))})")
        if self.width == 1:
            return self.put(f"call double @{function}({', '.join(f'double {x}' for x in arguments)})")
        result = "poison"
        for lane in range(self.width):
            own = [self.put(f"extractelement {self.type} {x}, i32 {lane}") for x in arguments]
            value = self.put(f"call double @{function}({', '.join(f'double {x}' for x in own)})")
            result = self.put(f"insertelement {self.type} {result}, double {value}, i32 {lane}")
        return result

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")

    def branch(self, condition: str, yes: str, no: str) -> None:
        self.lines.append(f"  br i1 {condition}, label %{yes}, label %{no}, !prof !0")

    def jump(self, to: str) -> None:
        self.lines.append(f"  br label %{to}")
