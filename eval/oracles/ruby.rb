# CRuby's word on a source: one JSON line in, one out.
require "json"
$stderr.reopen(File::NULL)
STDOUT.sync = true
STDIN.each_line do |line|
  source = JSON.parse(line)["content"].unpack1("m").force_encoding("UTF-8")
  begin
    RubyVM::InstructionSequence.compile(source)
    puts "true"
  rescue SyntaxError, StandardError
    puts "false"
  end
end
