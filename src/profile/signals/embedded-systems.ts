import type { DomainSignals } from "./schema.ts";

export const embeddedSystems: DomainSignals = {
  domain: "embedded-systems",
  about: "Firmware and programs for microcontrollers and other small devices.",
  nature: "product",
  definingFiles:
    "platformio.ini *.ino sdkconfig sdkconfig.defaults west.yml *.ioc memory.x mbed_app.json mbed-os.lib idf_component.yml prj.conf *.overlay Embed.toml probe-rs.toml *.bbappend *.bb",
  uniqueFiles:
    "*.dts *.dtsi *.svd *.uvprojx *.ewp FreeRTOSConfig.h *.kicad_sch *.kicad_pcb library.properties openocd.cfg *.pio partitions.csv .mbedignore keywords.txt boards.txt",
  frameworks: {
    cargo:
      "cortex-m cortex-m-rt embedded-hal embassy-executor embassy-stm32 rp2040-hal esp-hal esp-idf-svc esp-idf-sys avr-device rtic nrf52840-hal stm32f4xx-hal defmt panic-halt riscv-rt embassy-nrf embassy-rp cortex-m-rtic embedded-hal-async",
    pypi: "micropython-lib esphome adafruit-blinka adafruit-circuitpython-* pymcuprog",
    go: "tinygo.org/x/drivers gobot.io/x/gobot periph.io/x/conn",
    npm: "johnny-five espruino",
    native: "pico-sdk freertos zephyr esp-idf libopencm3 stm32cube picosdk",
    platformio:
      "espressif32 espressif8266 atmelavr ststm32 nordicnrf52 raspberrypi teensy atmelsam native",
    nuget: "nanoframework.corelibrary meadow.foundation",
    hex: "nerves circuits_gpio",
    swift: "swiftio",
  },
  helpers: {
    cargo: "heapless critical-section",
    pypi: "pyserial platformio smbus2 rpi.gpio gpiozero",
  },
  entries: "platformio:project cargo:bare-metal",
  extensions: "ino dts dtsi",
  generalExtensions: "s",
  uniqueDirectories: "firmware bsp hal",
  directories: "boards drivers sensors lib variants",
  categories: ["cargo:embedded", "cargo:hardware-support", "python:Topic :: System :: Hardware"],
  statements: [
    "\\bfirmware\\b",
    "\\bmicrocontrollers?\\b",
    "\\bembedded (?:systems?|devices?|software|linux)\\b",
    "\\b(?:arduino|esp32|esp8266|stm32|raspberry pi pico|rp2040|avr)\\b",
    "\\brtos\\b",
  ],
  keywords: ["embedded", "firmware", "arduino", "esp32", "stm32", "iot", "microcontroller"],
  givesWay: { to: ["os-kernel"], by: 0.3 },
};
