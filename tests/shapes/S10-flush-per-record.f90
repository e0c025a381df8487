! S10: a Fortran unit kept open, FLUSH after every record.
!: file a.tr managed opens=1 real_opens=1
!: calls a.tr <= 20
program main
  implicit none
  integer :: i, size
  open (unit=10, file='a.tr', status='replace', action='write')
  do i = 1, 1000
    write (10, '(I6,F12.5,I8)') i, i / 7.0, i * 37
    flush (10)
    if (mod(i, 250) == 0) then
      inquire (unit=10, size=size)
      print *, i, size
    end if
  end do
  close (10)
  inquire (file='a.tr', size=size)
  print *, size
end program main
